import { formatDecimal, normalise, parseDecimal } from '../../core/decimal.ts';
import type { ChargeLine } from '../../core/reconciliation.ts';

/** What a price line counts; null where the cost is that of no price line, which is never a quantity of 0. */
export interface FocusUnits {
  readonly consumed: string;
  readonly consumedUnit: string;
  /** Null where the quantity is no plain decimal of its pricing unit. */
  readonly priced: string | null;
  readonly pricingUnit: string;
}

const UNITS: Readonly<Record<string, string>> = {
  image: 'Images',
  video_second: 'Seconds',
  request: 'Requests',
  tool_call: 'Tool Calls',
  character: 'Characters',
  page: 'Pages',
};

export function focusUnits(line: ChargeLine | null): FocusUnits | null {
  if (line === null) return null;
  const meter = line.meter.split(/[ :@(]/)[0] ?? line.meter;
  const unit = UNITS[meter] ?? 'Tokens';
  const { per, units } = line;
  return {
    consumed: units,
    consumedUnit: unit,
    priced: /^10*$/.test(per) ? shifted(units, per.length - 1) : null,
    pricingUnit: per === '1' ? unit : `${per} ${unit}`,
  };
}

/** `Cache Read Input Tokens` and the like, as the meter names it. */
export function skuMeter(meter: string): string {
  return meter
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

function shifted(units: string, places: number): string | null {
  const value = parseDecimal(units);
  if (value === null) return null;
  return formatDecimal(normalise({ digits: value.digits, scale: value.scale + places }));
}

import type { PicoUsd } from '../../../core/amount.ts';
import { formatTrimmed } from '../../../core/decimal.ts';
import type { AskedVideo } from '../../hooks/dialect.ts';
import { basePrice, decimal, GROUP_RATIOS, PICO_PER_UNIT, sizeRatio, UNITS_PER_USD } from './ratios.ts';

/** The factors of a video as its answer and its refund tell them. */
export interface VideoFactors {
  readonly seconds: number;
  readonly size: number;
}

/** Null where the model has no such size. */
export function videoFactors({
  model,
  size,
  seconds,
}: Pick<AskedVideo, 'model' | 'size' | 'seconds'>): VideoFactors | null {
  const ratio = sizeRatio(model, size);
  return ratio === null ? null : { seconds, size: Number(formatTrimmed(ratio)) };
}

/**
 * Multiplies by one factor after the other and cuts to whole units after each. Which comes first is left to the order of a
 * map there: two equal calls may differ by a unit. Here it is drawn from the request id, one in five the other way.
 */
export function videoAmount(asked: AskedVideo): PicoUsd | null {
  const factors = videoFactors(asked);
  if (factors === null) return null;
  const group = decimal(GROUP_RATIOS[asked.key.group ?? 'default'] ?? '1');
  const price = decimal(basePrice(asked.model));
  const digits = price.digits * group.digits * BigInt(UNITS_PER_USD);
  const base = digits / 10n ** BigInt(price.scale + group.scale);
  const order = isTurned(asked.requestId) ? [factors.seconds, factors.size] : [factors.size, factors.seconds];
  return order.reduce((units, factor) => times(units, factor), base) * PICO_PER_UNIT;
}

function times(units: bigint, factor: number): bigint {
  const { digits, scale } = decimal(String(factor));
  return (units * digits) / 10n ** BigInt(scale);
}

function isTurned(requestId: string): boolean {
  return [...requestId].reduce((sum, one) => sum + one.charCodeAt(0), 0) % 5 === 0;
}

import type { ChargeLine } from '../../contracts/reconciliation.ts';
import { formatDecimal, normalise, parseDecimal } from '../../core/decimal.ts';
import { formatInstant } from '../../core/time.ts';
import type { BillRow } from '../rows/bill-row.ts';
import type { CostLine } from './cost-lines.ts';

/**
 * `usage` bills what is charged. `drawdown` bills nothing, for what is charged was paid before, with the credit that it
 * draws down: the charge is the effective cost alone.
 */
export type FocusBilling = 'usage' | 'drawdown';

/** One line of focus.csv. */
export interface FocusLine {
  readonly row: BillRow;
  readonly cost: CostLine;
  readonly target: string;
  readonly billing: FocusBilling;
  /** Milliseconds since the epoch, in a year that four digits hold. */
  readonly moment: number;
  /** The first line of its row: what is said once a row stands here. */
  readonly first: boolean;
}

export type FocusColumn = readonly [name: string, read: (line: FocusLine) => string | null];

/** The version of FOCUS whose columns these are. */
export const FOCUS_VERSION = '1.2';

const HOUR_MS = 3_600_000;
const nothing = (): null => null;

/** Always with a point: readers take a column without one for whole numbers. */
function decimal(name: string, read: FocusColumn[1]): FocusColumn {
  return [
    name,
    (line) => {
      const text = read(line);
      return text === null || text.includes('.') ? text : `${text}.0`;
    },
  ];
}

/** In the order of the file: those of FOCUS by name, then our own. */
export const FOCUS_COLUMNS: readonly FocusColumn[] = [
  decimal('BilledCost', ({ billing, cost }) => (billing === 'drawdown' ? '0' : cost.cost)),
  ['BillingAccountId', ({ target }) => target],
  ['BillingAccountName', nothing],
  ['BillingCurrency', () => 'USD'],
  ['BillingPeriodEnd', ({ moment }) => second(monthOf(moment, 1))],
  ['BillingPeriodStart', ({ moment }) => second(monthOf(moment, 0))],
  ['ChargeCategory', ({ cost }) => cost.category],
  ['ChargeClass', nothing],
  ['ChargeDescription', ({ row, cost }) => `${cost.description}: ${modelOf(row) ?? 'several calls'}`],
  ['ChargeFrequency', ({ cost }) => (cost.category === 'Usage' ? 'Usage-Based' : 'One-Time')],
  ['ChargePeriodEnd', ({ moment }) => second(hourOf(moment) + HOUR_MS)],
  ['ChargePeriodStart', ({ moment }) => second(hourOf(moment))],
  // Rules on the consumed quantity read it.
  ['CommitmentDiscountStatus', nothing],
  decimal('ConsumedQuantity', (line) => unitsOf(line)?.consumed ?? null),
  ['ConsumedUnit', (line) => unitsOf(line)?.consumedUnit ?? null],
  decimal('ContractedCost', ({ cost }) => cost.contracted),
  decimal('ContractedUnitPrice', ({ cost }) => cost.line?.price ?? null),
  decimal('EffectiveCost', ({ cost }) => cost.cost),
  ['InvoiceId', nothing],
  ['InvoiceIssuerName', ({ target }) => target],
  decimal('ListCost', ({ cost }) => cost.list),
  decimal('ListUnitPrice', ({ cost }) => cost.line?.price ?? null),
  ['PricingCategory', ({ cost }) => (cost.line === null ? null : 'Standard')],
  ['PricingCurrency', () => 'USD'],
  decimal('PricingCurrencyContractedUnitPrice', ({ cost }) => cost.line?.price ?? null),
  decimal('PricingCurrencyEffectiveCost', ({ cost }) => cost.cost),
  decimal('PricingCurrencyListUnitPrice', ({ cost }) => cost.line?.price ?? null),
  decimal('PricingQuantity', (line) => unitsOf(line)?.priced ?? null),
  ['PricingUnit', (line) => unitsOf(line)?.pricingUnit ?? null],
  ['ProviderName', ({ target }) => target],
  ['PublisherName', ({ target }) => target],
  ['ResourceId', ({ row }) => resourceId(row)],
  ['ResourceName', ({ row }) => modelOf(row)],
  ['ResourceType', ({ row }) => (modelOf(row) === null ? null : 'Model')],
  ['ServiceCategory', () => 'AI and Machine Learning'],
  ['ServiceName', ({ target }) => target],
  ['ServiceSubcategory', () => 'Generative AI'],
  ['SkuId', skuId],
  ['SkuMeter', ({ cost }) => (cost.category === 'Usage' ? skuMeter(cost.line?.meter ?? 'whole_call') : null)],
  ['SkuPriceDetails', skuPriceDetails],
  ['SkuPriceId', skuPriceId],
  ['SubAccountId', ({ row }) => keyOf(row)],
  ['SubAccountName', ({ row }) => keyOf(row)],
  ['Tags', ({ row }) => tags(row)],
  // What stands here once a row adds up over the rows.
  ['x_RowId', ({ row }) => row.id],
  ['x_RequestId', ({ row }) => row.call?.request_id ?? null],
  ['x_FaultClass', ({ row }) => row.findings[0]?.class ?? null],
  ['x_Confidence', ({ row }) => row.findings[0]?.confidence ?? null],
  ['x_ExpectedCost', ({ row, first }) => (first ? (row.money?.expected ?? null) : null)],
  ['x_Delta', ({ row, first }) => (first ? (row.money?.difference ?? null) : null)],
  ['x_UsageEstimated', ({ row }) => row.call?.record?.usage_estimated.toString() ?? null],
  ['x_FocusVersion', () => FOCUS_VERSION],
];

function unitsOf({ cost }: FocusLine): FocusUnits | null {
  return focusUnits(cost.line);
}

function modelOf({ call, records }: BillRow): string | null {
  return call?.record?.model ?? call?.model ?? records[0]?.model ?? null;
}

/** With a word before it, so that no reader takes an id of digits for a number. */
function resourceId(row: BillRow): string | null {
  const model = modelOf(row);
  return model === null ? null : `model:${model}`;
}

function keyOf({ call }: BillRow): string | null {
  return call?.row?.key_fp ?? null;
}

/** Usage that no line prices is of the model as a whole. */
function skuId({ row, cost }: FocusLine): string | null {
  if (cost.category !== 'Usage') return null;
  return ['model', modelOf(row) ?? 'unknown', ...(cost.line === null ? [] : [cost.line.meter])].join('/');
}

function skuPriceId(line: FocusLine): string | null {
  const { row, cost } = line;
  const record = row.call?.record ?? row.records[0];
  if (cost.category !== 'Usage' || record === undefined) return null;
  const { pricebook_id, pricing_version } = record;
  return ['price', pricebook_id, pricing_version, skuId(line), row.call?.tier ?? null]
    .filter((part) => part !== null)
    .join('/');
}

function skuPriceDetails({ cost }: FocusLine): string | null {
  const type = cost.line === null ? null : TOKEN_TYPES[cost.line.meter];
  return type === null || type === undefined ? null : JSON.stringify({ x_TokenType: type });
}

const TOKEN_TYPES: Readonly<Record<string, string>> = {
  input_token: 'Input',
  output_token: 'Output',
  cache_read_token: 'CacheRead',
  cache_write_token: 'CacheWrite',
};

function tags({ run_id, call }: BillRow): string {
  const scenario = call?.row?.scenario;
  return JSON.stringify({ run: run_id, ...(scenario === undefined ? {} : { scenario }) });
}

function hourOf(moment: number): number {
  return moment - (moment % HOUR_MS);
}

function monthOf(moment: number, later: number): number {
  const date = new Date(moment);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

/** `YYYY-MM-DDTHH:MM:SSZ`. */
function second(ms: number): string {
  return formatInstant(ms).replace(/\.\d+Z$/, 'Z');
}

/** What a price line counts; null where the cost is that of no price line, which is never a quantity of 0. */
interface FocusUnits {
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

function focusUnits(line: ChargeLine | null): FocusUnits | null {
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
function skuMeter(meter: string): string {
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

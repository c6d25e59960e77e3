import type { Decimal } from '../../core/decimal.ts';
import type { Bill, BillSpan } from '../read/bill.ts';
import type { BillLine } from '../read/bill-line.ts';
import type { ChargeRow } from './charge-row.ts';
import { ChargeSums } from './charge-sums.ts';
import { modelGroups } from './model-groups.ts';

/** What a bill holds for one model in one span of time, in units of 10^−`scale`. */
export interface BilledBucket extends BillSpan {
  readonly billed: bigint;
  /** Rows that it is the sum of: each may be rounded. */
  readonly lines: number;
  readonly requests: bigint | null;
}

export interface BillGroup {
  readonly model: string;
  readonly buckets: readonly BilledBucket[];
  readonly sums: ChargeSums;
}

/** A bill and the charges beside it, by model. */
export interface BillGroups {
  /** Decimals of every figure in it: one more than the bill has, for half of its last digit. */
  readonly scale: number;
  readonly groups: readonly BillGroup[];
  /** Rows of no model, or of one that no call names: never spread over the others. */
  readonly unassigned: readonly BillLine[];
}

/** Decimals of a charge of ours. */
const CHARGE_SCALE = { USD: 12, tokens: 0 } as const;

const ALL_MODELS = 'all models';

/** `whole`: the calls are all that the bill is of, so that a model which none of them names is billed for nothing. */
export function groupBill(bill: Bill, rows: readonly ChargeRow[], whole: boolean): BillGroups {
  const { lines, unit, mapping } = bill;
  const scale = Math.max(CHARGE_SCALE[unit], ...lines.map(({ amount }) => amount?.scale ?? 0)) + 1;
  const factor = 10n ** BigInt(scale - CHARGE_SCALE[unit]);
  const scaled = rows.map((row) => ({
    ...row,
    lo: row.lo * factor,
    hi: row.hi === null ? null : row.hi * factor,
  }));
  const named = lines.filter(({ model }) => model !== null);
  if (named.length === 0) {
    const buckets = bucketsOf(lines, bill, scale);
    return {
      scale,
      groups: [{ model: ALL_MODELS, buckets, sums: new ChargeSums(scaled) }],
      unassigned: [],
    };
  }
  const byModel = Map.groupBy(named, ({ model }) => model ?? '');
  const byCalled = Map.groupBy(scaled, ({ model }) => model);
  const all = modelGroups([...byModel.keys()], [...byCalled.keys()]);
  const isWeighed = mapping.models === 'named' && whole;
  const weighed = all.filter(({ called }) => called.length > 0 || isWeighed);
  const rest = all.filter((group) => !weighed.includes(group));
  return {
    scale,
    groups: weighed.map(({ name, billed, called }) => ({
      model: name,
      buckets: bucketsOf(
        billed.flatMap((model) => byModel.get(model) ?? []),
        bill,
        scale,
      ),
      sums: new ChargeSums(called.flatMap((model) => byCalled.get(model) ?? [])),
    })),
    unassigned: [
      ...lines.filter(({ model }) => model === null),
      ...rest.flatMap(({ billed }) => billed.flatMap((model) => byModel.get(model) ?? [])),
    ],
  };
}

/** What a row bills, in units of 10^−`scale`. */
export function unitsOf({ amount, tokens }: BillLine, scale: number): bigint {
  return digitsOf(amount ?? { digits: tokens ?? 0n, scale: 0 }, scale);
}

function digitsOf({ digits, scale: own }: Decimal, scale: number): bigint {
  return digits * 10n ** BigInt(scale - own);
}

/** A bucket for each span of the bill, also where it bills nothing for this model. */
function bucketsOf(own: readonly BillLine[], { spans }: Bill, scale: number): readonly BilledBucket[] {
  const key = ({ start, end }: BillSpan): string => `${start} ${end}`;
  const byKey = Map.groupBy(own, key);
  const grid = isGrid(spans) ? spans : spans.filter((span) => byKey.has(key(span)));
  return grid.map((span) => {
    const lines = byKey.get(key(span)) ?? [];
    const requests = lines.map((line) => line.requests);
    return {
      ...span,
      billed: lines.reduce((sum, line) => sum + unitsOf(line, scale), 0n),
      lines: lines.length,
      requests: requests.includes(null)
        ? null
        : requests.reduce<bigint>((sum, each) => sum + (each ?? 0n), 0n),
    };
  });
}

/** False where spans of several widths lie over each other: then what is not billed tells nothing. */
function isGrid(spans: readonly BillSpan[]): boolean {
  return spans.every((span, index) => (spans[index - 1]?.end ?? span.start) <= span.start);
}

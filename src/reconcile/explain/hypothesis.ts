import type { Confidence, FaultClass } from '../../contracts/fault-class.ts';
import type { PicoUsd } from '../../core/amount.ts';
import type { PricedRow } from './mismatched-row.ts';

/** Amounts from `lo` to `hi`, both inside; one figure where both are equal. */
export interface AmountSpan {
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
}

/** An explanation of wrong amounts: the same call, with one thing priced otherwise. */
export interface Hypothesis {
  /** Such as `cache_both` or `factor:1.1`. */
  readonly name: string;
  readonly class: FaultClass;
  /** Of two that fit the same rows the lower one is the simpler explanation. */
  readonly rank: number;
  /** The most that it can be called over two rows and more; one row alone is `strong` at best. */
  readonly confidence: Confidence;
  /** What was priced how, to follow "if". */
  readonly told: string;
  /** Rows, distinct amounts and distinct sums due that it needs before it may be named at all. */
  readonly needs: { readonly rows: number; readonly amounts: number; readonly dues: number };
  /** Not tied to one model: seen at one, it is the simpler explanation at others too. */
  readonly general: boolean;
  /** What it says that the row costs; null where it says nothing of such a row. */
  charge(row: PricedRow): AmountSpan | null;
}

export const ONE_ROW: Hypothesis['needs'] = { rows: 1, amounts: 1, dues: 1 };

/** Ranks of the catalogue, the simplest explanation first. */
export const RANK = {
  /** A difference of one quantum at most is a matter of rounding before anything else. */
  last_digit: 0,
  version: 1,
  /** Another line of the same book for the same call. */
  price_line: 2,
  rounding: 3,
  unit: 4,
  charged_twice: 5,
  swapped_prices: 6,
  /** Before figures that are learnt: it stands in the book. */
  model: 7,
  above_reserve: 8,
  factor: 9,
  minimum: 10,
} as const;

/** True where the hypothesis gives the very amount that was charged. */
export function fits(hypothesis: Hypothesis, row: PricedRow): boolean {
  const charge = hypothesis.charge(row);
  return charge !== null && charge.lo <= row.charged && row.charged <= charge.hi;
}

/** Whether rows that fit are enough, and differ enough, to name the hypothesis. */
export function suffices({ needs }: Hypothesis, rows: readonly PricedRow[]): boolean {
  return (
    rows.length >= needs.rows &&
    differ(rows, needs.amounts, ({ charged }) => charged) &&
    differ(rows, needs.dues, ({ due }) => due)
  );
}

/** Whether so many different amounts are among the rows. */
function differ(rows: readonly PricedRow[], least: number, amountOf: (row: PricedRow) => PicoUsd): boolean {
  const seen = new Set<PicoUsd>();
  return least <= 1 || rows.some((row) => seen.add(amountOf(row)).size >= least);
}

export function exactlySpan(amount: PicoUsd): AmountSpan {
  return { lo: amount, hi: amount };
}

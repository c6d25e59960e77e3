import type { ChargeRow } from './charge-row.ts';
import { NOTHING, type SumBounds } from './span-sum.ts';

/** Charges in the order of one of their moments, with the sums of all before each. */
class OrderedSums {
  readonly #at: Float64Array;
  readonly #lo: readonly bigint[];
  readonly #hi: readonly bigint[];
  /** How many have no upper bound. */
  readonly #open: Int32Array;

  constructor(rows: readonly ChargeRow[], at: (row: ChargeRow) => number, of: (row: ChargeRow) => SumBounds) {
    const sorted = rows.toSorted((left, right) => at(left) - at(right));
    this.#at = Float64Array.from(sorted, at);
    this.#open = new Int32Array(sorted.length + 1);
    const [lows, highs] = [[0n], [0n]];
    for (const [index, row] of sorted.entries()) {
      const { lo, hi } = of(row);
      lows.push((lows[index] ?? 0n) + lo);
      highs.push((highs[index] ?? 0n) + (hi ?? 0n));
      this.#open[index + 1] = (this.#open[index] ?? 0) + (hi === null ? 1 : 0);
    }
    this.#lo = lows;
    this.#hi = highs;
  }

  /** How many are dated before the second. */
  before(second: number): number {
    let [low, high] = [0, this.#at.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#at[middle] ?? 0) < second) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Sums of the first `count`. */
  first(count: number): { readonly lo: bigint; readonly hi: bigint; readonly open: number } {
    return { lo: this.#lo[count] ?? 0n, hi: this.#hi[count] ?? 0n, open: this.#open[count] ?? 0 };
  }
}

/** The charges of one model, summed over any span of time. */
export class ChargeSums {
  /** A charge counts in the bucket in which it may begin; what may come later is carried over its end. */
  readonly #begun: OrderedSums;
  readonly #carriedFrom: OrderedSums;
  readonly #carriedTo: OrderedSums;
  readonly rows: number;

  constructor(rows: readonly ChargeRow[]) {
    this.rows = rows.length;
    this.#begun = new OrderedSums(rows, ({ from }) => from, asItIs);
    this.#carriedFrom = new OrderedSums(rows, ({ from }) => from, orNothing);
    this.#carriedTo = new OrderedSums(rows, ({ to }) => to, orNothing);
  }

  /** Of the charges that may begin in the span. */
  begun(start: number, end: number): SumBounds {
    const [before, until] = [this.#begun.before(start), this.#begun.before(end)];
    if (before === until) return NOTHING;
    const [out, all] = [this.#begun.first(before), this.#begun.first(until)];
    return { lo: all.lo - out.lo, hi: all.open > out.open ? null : all.hi - out.hi };
  }

  /** How many charges may begin in the span. */
  count(start: number, end: number): number {
    return this.#begun.before(end) - this.#begun.before(start);
  }

  /** What charges that begin before a moment may be dated after it, where each may be late by so many seconds. */
  carried(moment: number, late: number): SumBounds {
    const begun = this.#carriedFrom.first(this.#carriedFrom.before(moment));
    const over = this.#carriedTo.first(this.#carriedTo.before(moment - late));
    return { lo: begun.lo - over.lo, hi: begun.open > over.open ? null : begun.hi - over.hi };
  }
}

function asItIs({ lo, hi }: ChargeRow): SumBounds {
  return { lo, hi };
}

/** A charge that may be on either side of a moment: credits take off, charges add. */
function orNothing({ lo, hi }: ChargeRow): SumBounds {
  return { lo: lo < 0n ? lo : 0n, hi: hi !== null && hi < 0n ? 0n : hi };
}

import type { Meter } from '../../contracts/price-book.ts';
import { type InferredPrices, inferPrices, type Observation } from './infer-prices.ts';

/** A charge beside what the book makes of it. */
export interface ComparedCharge extends Observation {
  /** To the digit what is due by the book. */
  readonly as_due: boolean;
}

/** A moment on one side of which charges are those of the book, and on the other those of prices of their own. */
export interface InferredChange {
  /** Unix seconds of the first charge after it. */
  readonly at_s: number;
  readonly book_holds: 'before' | 'after';
  /** What the charges on the other side share. */
  readonly others: InferredPrices;
  /** Charges on the side of the book, and on the other. */
  readonly by_book: number;
  readonly by_others: number;
}

/** Charges that each side needs, and the share of them that must be of its prices: a few may be wrong by themselves. */
const LEAST_CHARGES = 20;
const LEAST_PERCENT = 95;
/** Prices are inferred from so many charges of a side at most; more tell nothing new. */
const MOST_CHARGES = 2_000;

/**
 * Finds the moment at which charges turn from the prices of the book to others, or back; null where there is none.
 * Both sides must stand for themselves: charges that are wrong here and there are no change, nor is one that begins
 * with a single charge.
 */
export function inferredChange(
  meters: readonly Meter[],
  charges: readonly ComparedCharge[],
): InferredChange | null {
  const right = charges.filter(({ as_due }) => as_due).length;
  if (right < LEAST_CHARGES || charges.length - right < LEAST_CHARGES) return null;
  const ordered = charges.toSorted((left, after) => left.at_s - after.at_s);
  const turn = turnOf(ordered, right);
  const before = ordered.slice(0, turn.index);
  const after = ordered.slice(turn.index);
  const [first] = after;
  const [byBook, byOthers] = turn.book_holds === 'before' ? [before, after] : [after, before];
  if (first === undefined || !mostly(byBook, true) || !mostly(byOthers, false)) return null;
  const every = Math.ceil(byOthers.length / MOST_CHARGES);
  const others = inferPrices(
    meters,
    byOthers.filter((_, index) => index % every === 0),
  );
  if (others === null || others.fit * 100 < others.of * LEAST_PERCENT) return null;
  return {
    at_s: first.at_s,
    book_holds: turn.book_holds,
    others,
    by_book: byBook.length,
    by_others: byOthers.length,
  };
}

function mostly(charges: readonly ComparedCharge[], asDue: boolean): boolean {
  const fitting = charges.filter(({ as_due }) => as_due === asDue).length;
  return charges.length >= LEAST_CHARGES && fitting * 100 >= charges.length * LEAST_PERCENT;
}

interface Turn {
  readonly index: number;
  readonly book_holds: InferredChange['book_holds'];
}

/** Where the fewest charges stand on the wrong side; charges of one second are not parted. */
function turnOf(ordered: readonly ComparedCharge[], right: number): Turn {
  let best: Turn = { index: 0, book_holds: 'before' };
  let most = -1;
  let rightBefore = 0;
  ordered.forEach(({ at_s, as_due }, index) => {
    if (index > 0 && at_s !== ordered[index - 1]?.at_s) {
      // Right ones before and wrong ones after, or the other way round.
      const bookFirst = rightBefore + (ordered.length - right) - (index - rightBefore);
      const fitting = Math.max(bookFirst, ordered.length - bookFirst);
      if (fitting > most) {
        most = fitting;
        best = { index, book_holds: fitting === bookFirst ? 'before' : 'after' };
      }
    }
    if (as_due) rightBefore += 1;
  });
  return best;
}

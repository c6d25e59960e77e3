import type { Meter } from '../../core/price-book.ts';
import { type InferredPrices, inferPrices, type Observation } from './infer-prices.ts';

/** Prices that one version of a book had at first and others that it had later. */
export interface PriceChange {
  readonly before: InferredPrices;
  readonly after: InferredPrices;
  /** Unix seconds of the first charge by the later prices. */
  readonly at_s: number;
}

const LEAST_PERCENT = 90;

/**
 * Finds the moment at which charges turn from one set of prices to another; null where one set gives them all, or no
 * two do. Both halves must stand for themselves: charges that are wrong here and there are no change.
 */
export function priceChange(
  meters: readonly Meter[],
  observations: readonly Observation[],
): PriceChange | null {
  if (inferPrices(meters, observations) !== null) return null;
  const ordered = observations.toSorted((left, right) => left.at_s - right.at_s);
  const third = Math.floor(ordered.length / 3);
  const first = inferPrices(meters, ordered.slice(0, third));
  const last = inferPrices(meters, ordered.slice(-third));
  if (third === 0 || first === null || last === null) return null;
  const moments = [...new Set(ordered.map(({ at_s }) => at_s))];
  let low = 0;
  let high = moments.length - 1;
  // The earlier prices hold for everything up to some moment, so the last such moment can be halved in on.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const until = moments[middle] ?? 0;
    const held = inferPrices(
      meters,
      ordered.filter(({ at_s }) => at_s <= until),
    );
    if (held !== null && held.fit === held.of) low = middle;
    else high = middle - 1;
  }
  const turn = moments[low] ?? 0;
  const before = inferPrices(
    meters,
    ordered.filter(({ at_s }) => at_s <= turn),
  );
  const after = inferPrices(
    meters,
    ordered.filter(({ at_s }) => at_s > turn),
  );
  const at = moments[low + 1];
  if (before === null || after === null || at === undefined) return null;
  if (before.per_million.join() === after.per_million.join()) return null;
  return after.fit * 100 >= after.of * LEAST_PERCENT ? { before, after, at_s: at } : null;
}

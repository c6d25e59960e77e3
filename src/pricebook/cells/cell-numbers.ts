import type { ModelPrice, PriceBook } from '../../contracts/price-book.ts';
import { parseAmount } from '../../core/amount.ts';
import { addRational, multiplyRational, RATIONAL_ZERO, type Rational } from '../../core/rational.ts';
import { ROUNDING_MODES } from '../../core/rounding.ts';
import type { AdjustedBy } from '../charge/adjust-sum.ts';
import { exact } from '../charge/charge-term.ts';
import { atLeast, settled } from '../charge/settle-sum.ts';
import type { TierPrices } from '../charge/tier-prices.ts';
import { isFree } from '../charge/tier-sums.ts';
import { MOST_PRICE, type PriceCell } from './price-cell.ts';

/** USD for one unit, before adjustments; null prices nothing. */
export type UnitPrices = Readonly<
  Record<'p_in' | 'p_out' | 'p_read' | 'p_write' | 'p_unit', Rational | null>
>;

export type CellNumbers = Pick<
  PriceCell,
  | 'scale'
  | 'p_in'
  | 'p_out'
  | 'p_read'
  | 'p_write'
  | 'p_unit'
  | 'p_request'
  | 'd'
  | 'quantum_pico'
  | 'mode'
  | 'min_pico'
  | 'min_at_zero'
>;

/** All prices with their adjustments as whole numbers at the smallest scale that holds them; or why there is none. */
export function wholeNumbers(
  book: PriceBook,
  entry: ModelPrice,
  tier: TierPrices,
  by: AdjustedBy,
  { request, prices }: { readonly request: Rational; readonly prices: UnitPrices },
): CellNumbers | string {
  const rounding = entry.rounding ?? book.rounding;
  const adjust = (price: Rational | null): Rational | null =>
    price === null ? null : multiplyRational(price, by.times);
  const adjusted = {
    p_in: adjust(prices.p_in),
    p_out: adjust(prices.p_out),
    p_read: adjust(prices.p_read),
    p_write: adjust(prices.p_write),
    p_unit: adjust(prices.p_unit),
    p_request: addRational(multiplyRational(request, by.times), by.plus),
    d: exact(rounding.quantum),
  };
  const scale = scaleOf(Object.values(adjusted).filter((price) => price !== null));
  const quantum = parseAmount(rounding.quantum);
  if (scale === null || quantum === null) return `a price needs more than ${MOST_SCALE} decimals`;
  const whole = ({ num, den }: Rational): bigint => (num * 10n ** BigInt(scale)) / den;
  const wholeOrNull = (price: Rational | null): bigint | null => (price === null ? null : whole(price));
  const numbers = {
    scale,
    p_in: wholeOrNull(adjusted.p_in),
    p_out: wholeOrNull(adjusted.p_out),
    p_read: wholeOrNull(adjusted.p_read),
    p_write: wholeOrNull(adjusted.p_write),
    p_unit: wholeOrNull(adjusted.p_unit),
    p_request: whole(adjusted.p_request),
    d: whole(adjusted.d),
    quantum_pico: quantum,
    mode: ROUNDING_MODES.indexOf(rounding.mode),
  };
  const all = [
    numbers.p_in,
    numbers.p_out,
    numbers.p_read,
    numbers.p_write,
    numbers.p_unit,
    numbers.p_request,
  ];
  if (all.some((price) => price !== null && (price > MOST_PRICE || price < 0n)) || numbers.d > MOST_PRICE) {
    return 'a price has more digits than a cell holds';
  }
  const minimum = entry.minimum ?? book.minimum;
  const free = by.plus.num === 0n && (by.times.num === 0n || isFree(tier.components));
  const least = atLeast(minimum, RATIONAL_ZERO, { free, unused: false });
  return {
    ...numbers,
    min_pico: least.num === 0n ? null : settled(rounding, least).lo,
    min_at_zero: minimum?.zero_tokens === 'minimum',
  };
}

const MOST_SCALE = 24;

/** The smallest number of decimals that holds all of them; null where a fraction has no end or too late a one. */
function scaleOf(values: readonly Rational[]): number | null {
  for (let scale = 0; scale <= MOST_SCALE; scale += 1) {
    if (values.every(({ num, den }) => (num * 10n ** BigInt(scale)) % den === 0n)) return scale;
  }
  return null;
}

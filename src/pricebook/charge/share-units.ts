import { addRational, compareRational, RATIONAL_ZERO, type Rational } from '../../core/rational.ts';
import type { UnitSpan } from './charge-facts.ts';
import { type RationalSpan, times } from './charge-term.ts';

/** Bounds of the parts and the rest that a sum within `total` leaves; null where none does. */
export interface Shares {
  readonly total: UnitSpan;
  readonly parts: readonly UnitSpan[];
  readonly rest: UnitSpan;
}

/** Narrows bounds that hang together: parts and rest are each ≥ 0 and add up to something in `total`. */
export function narrowed(
  total: UnitSpan,
  parts: readonly UnitSpan[],
  rest: { readonly lo: bigint; readonly hi: bigint | null },
): Shares | null {
  const least = parts.reduce((sum, { lo }) => sum + lo, 0n);
  const most = parts.reduce((sum, { hi }) => sum + hi, 0n);
  const lo = larger(total.lo, least + rest.lo);
  const hi = rest.hi === null ? total.hi : smaller(total.hi, most + rest.hi);
  if (lo > hi) return null;
  const restHi = smaller(hi - least, rest.hi ?? hi - least);
  const restLo = larger(rest.lo, lo - most);
  if (restLo > restHi) return null;
  return {
    total: { lo, hi },
    rest: { lo: restLo, hi: restHi },
    parts: parts.map((part) => ({
      lo: larger(part.lo, lo - (most - part.hi) - restHi),
      hi: smaller(part.hi, hi - (least - part.lo) - restLo),
    })),
  };
}

/** Units of one meter and the lowest and highest price that one of them may have. */
export interface PricedShare {
  readonly units: UnitSpan;
  readonly cheap: Rational;
  readonly dear: Rational;
}

/** The cheapest and the dearest division of a total among meters whose bounds are narrowed. */
export function cheapestAndDearest(total: UnitSpan, shares: readonly PricedShare[]): RationalSpan {
  return { lo: filled(total.lo, shares, 'cheap', 1), hi: filled(total.hi, shares, 'dear', -1) };
}

function filled(
  total: bigint,
  shares: readonly PricedShare[],
  side: 'cheap' | 'dear',
  order: number,
): Rational {
  let sum = RATIONAL_ZERO;
  let left = total;
  for (const share of shares) {
    sum = addRational(sum, times(share[side], share.units.lo));
    left -= share.units.lo;
  }
  const byPrice = [...shares].sort((one, other) => compareRational(one[side], other[side]) * order);
  for (const { units, [side]: price } of byPrice) {
    if (left <= 0n) break;
    const taken = smaller(units.hi - units.lo, left);
    sum = addRational(sum, times(price, taken));
    left -= taken;
  }
  return sum;
}

export function smaller(left: bigint, right: bigint): bigint {
  return left <= right ? left : right;
}

export function larger(left: bigint, right: bigint): bigint {
  return left >= right ? left : right;
}

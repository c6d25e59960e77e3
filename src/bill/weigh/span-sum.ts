/** What a sum can be; `hi` null: any amount above `lo`. */
export interface SumBounds {
  readonly lo: bigint;
  readonly hi: bigint | null;
}

export const NOTHING: SumBounds = { lo: 0n, hi: 0n };

export function addBounds(left: SumBounds, right: SumBounds): SumBounds {
  return { lo: left.lo + right.lo, hi: left.hi === null || right.hi === null ? null : left.hi + right.hi };
}

/** What both allow; null where that is nothing. */
export function meetBounds(left: SumBounds, right: SumBounds): SumBounds | null {
  const lo = left.lo > right.lo ? left.lo : right.lo;
  const hi = left.hi === null ? right.hi : right.hi === null || left.hi < right.hi ? left.hi : right.hi;
  return hi !== null && hi < lo ? null : { lo, hi };
}

/** True where all that `inner` allows is allowed by `outer`. */
export function holdsBounds(outer: SumBounds, inner: SumBounds): boolean {
  return outer.lo <= inner.lo && (outer.hi === null || (inner.hi !== null && inner.hi <= outer.hi));
}

/** How far `found` lies below `allowed` (positive), or above it (negative); 0 where they meet. */
export function gapBelow(found: SumBounds, allowed: SumBounds): bigint {
  if (found.hi !== null && found.hi < allowed.lo) return allowed.lo - found.hi;
  if (allowed.hi !== null && found.lo > allowed.hi) return allowed.hi - found.lo;
  return 0n;
}

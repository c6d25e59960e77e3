/** Nearest-rank quantile (`q` from 0 to 1) of numbers in any order; null of none. */
export function quantile(values: readonly number[] | Float64Array, q: number): number | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? null;
}

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Smallest, middle and largest of the repetitions that have a figure; null when none has one. */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null).sort((left, right) => left - right);
  const min = known[0];
  const max = known.at(-1);
  if (min === undefined || max === undefined) return null;
  const upper = known[Math.floor(known.length / 2)] ?? max;
  const lower = known[Math.ceil(known.length / 2) - 1] ?? min;
  return { min, median: (lower + upper) / 2, max };
}

/** Slope of the least-squares line through [x, y]; null of fewer than two different x. */
export function slopeOf(points: readonly (readonly [number, number])[]): number | null {
  const n = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (!(spread > 0)) return null;
  return points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

/** Difference of two figures that may be missing. */
export function difference(value: number | null, from: number | null): number | null {
  return value === null || from === null ? null : value - from;
}

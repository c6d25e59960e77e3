import { roundedMs } from './latency-table.ts';

/** Times in ms by buckets whose bounds grow by 2^(1/4), about 19 %; bucket 0 ends at 0.01 ms. */
export interface TimeHistogram {
  readonly count: number;
  /** Upper bounds, ascending, without a gap between the least and the largest bucket that holds a value. */
  readonly bounds_ms: readonly number[];
  readonly counts: readonly number[];
}

const SMALLEST_BOUND_MS = 0.01;
const BUCKETS_A_DOUBLING = 4;
/** A bound of the load engine's finer buckets stands in rows with five digits, and is one of these, too. */
const ROUNDING = 1e-4;

/** Null for no value. `times`: how many values there are of each. */
export function timeHistogram(values: Iterable<readonly [ms: number, times: number]>): TimeHistogram | null {
  const filled = new Map<number, number>();
  for (const [value, times] of values) {
    const bucket = bucketOf(value);
    filled.set(bucket, (filled.get(bucket) ?? 0) + times);
  }
  const least = Math.min(...filled.keys());
  const largest = Math.max(...filled.keys());
  if (!Number.isFinite(least)) return null;
  const buckets = Array.from({ length: largest - least + 1 }, (_, index) => least + index);
  const counts = buckets.map((bucket) => filled.get(bucket) ?? 0);
  return {
    count: counts.reduce((sum, count) => sum + count, 0),
    bounds_ms: buckets.map((bucket) => roundedMs(SMALLEST_BOUND_MS * 2 ** (bucket / BUCKETS_A_DOUBLING))),
    counts,
  };
}

function bucketOf(value: number): number {
  if (value <= SMALLEST_BOUND_MS) return 0;
  const steps = Math.log2(value / SMALLEST_BOUND_MS) * BUCKETS_A_DOUBLING;
  return Math.ceil(steps - ROUNDING * BUCKETS_A_DOUBLING);
}

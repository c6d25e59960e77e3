import type { SparseHistogram } from '../core/ledger-lines.ts';
import type { LatencyTable } from '../core/result.ts';

/** p99.9 of fewer values would be the maximum under another name. */
const P999_FROM = 1000;

/** Values ascending, as the functions below expect them. */
export function ascending(values: Iterable<number>): readonly number[] {
  return [...values].sort((left, right) => left - right);
}

/** Percentile of sorted values by linear interpolation (numpy's default); null for none. */
export function percentile(sorted: readonly number[], percent: number): number | null {
  return interpolated(sorted.length, percent, (index) => sorted[index]);
}

/** The table of sorted values in ms; null for none. */
export function latencyTable(sorted: readonly number[]): LatencyTable | null {
  const sum = sorted.reduce((total, value) => total + value, 0);
  return table(sorted.length, sum, (index) => sorted[index]);
}

/**
 * The table of a histogram, each value taken as its bucket's upper bound: never faster than measured, and wrong by
 * at most one bucket.
 */
export function histogramTable(histogram: SparseHistogram): LatencyTable | null {
  const ends: number[] = [];
  let count = 0;
  let sum = 0;
  for (const [bound, times] of histogram) {
    count += times;
    sum += bound * times;
    ends.push(count);
  }
  return table(count, sum, (index) => histogram[firstAbove(ends, index)]?.[0]);
}

/** One histogram of several, ascending. */
export function mergeHistograms(histograms: Iterable<SparseHistogram>): SparseHistogram {
  const counts = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [bound, times] of histogram) counts.set(bound, (counts.get(bound) ?? 0) + times);
  }
  return [...counts].sort(([left], [right]) => left - right);
}

/** To the microsecond: what the clocks give, and short in files. */
export function roundedMs(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function table(count: number, sum: number, at: (index: number) => number | undefined): LatencyTable | null {
  const of = (percent: number) => interpolated(count, percent, at);
  const [min, p50, p90, p95, p99, max] = [of(0), of(50), of(90), of(95), of(99), of(100)];
  if (min == null || p50 == null || p90 == null || p95 == null || p99 == null || max == null) return null;
  const p999 = count >= P999_FROM ? of(99.9) : null;
  const mean = roundedMs(sum / count);
  return { count, min, mean, p50, p90, p95, p99, p999, max };
}

function interpolated(
  count: number,
  percent: number,
  at: (index: number) => number | undefined,
): number | null {
  const rank = ((count - 1) * percent) / 100;
  const low = at(Math.floor(rank));
  const high = at(Math.ceil(rank));
  if (low === undefined || high === undefined) return null;
  return roundedMs(low + (high - low) * (rank - Math.floor(rank)));
}

/** Index of the first end above `rank` in ascending `ends`. */
function firstAbove(ends: readonly number[], rank: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? Number.POSITIVE_INFINITY) > rank) high = middle;
    else low = middle + 1;
  }
  return low;
}

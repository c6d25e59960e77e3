import type { LatencyTable } from '../contracts/time-figures.ts';

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
  return tableOf(sorted.length, sum, (index) => sorted[index]);
}

/** To the microsecond: what the clocks give, and short in files. */
export function roundedMs(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The table of `count` values of which `at` gives that of each rank, from 0 on; null for none. */
export function tableOf(
  count: number,
  sum: number,
  at: (rank: number) => number | undefined,
): LatencyTable | null {
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

import { roundedMs } from './latency-table.ts';

/** Below what a double can be wrong by in a product of a share and a count of calls. */
const EPSILON = 1e-9;

/**
 * The smallest of the ascending values that at least `percent` % of them do not pass; null for none. It is within a bound
 * exactly when at least so many calls are, which is what a k6 threshold counts (scenarios/lib/thresholds-of.ts). The
 * interpolated percentile of a few calls can be within a bound that one call too many has passed.
 */
export function valueAtRank(sorted: readonly number[], percent: number): number | null {
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length - EPSILON));
  const value = sorted[rank - 1];
  return value === undefined ? null : roundedMs(value);
}

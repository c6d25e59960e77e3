import type { CallRow } from '../contracts/ledger-lines.ts';
import type { FailedDownloads } from '../contracts/load-result.ts';
import { roundedMs } from './latency-table.ts';
import type { LogicalCall } from './logical-call.ts';

/** The results of these calls that could not be downloaded, by how the last read of each failed, the commonest first. */
export function failedDownloads(
  calls: readonly LogicalCall[],
  rows: Iterable<CallRow>,
): readonly FailedDownloads[] {
  const lost = calls.filter(({ last }) => last.error_type === 'download_failed');
  if (lost.length === 0) return [];
  const reads = new Map<string, CallRow>();
  for (const row of rows) {
    const isRead = row.kind === 'download' || row.kind === 'result';
    if (isRead && row.outcome !== 'ok') reads.set(keyOf(row), row);
  }
  // Without a row of its own, a read tells no more than that it failed.
  const causes = lost.map(({ last }) => reads.get(keyOf(last)) ?? { ...last, status: null });
  const groups = Map.groupBy(causes, ({ outcome, error_type, status }) =>
    JSON.stringify([outcome, error_type, status]),
  );
  return [...groups]
    .sort(([left, some], [right, others]) => others.length - some.length || (left < right ? -1 : 1))
    .flatMap(([, group]) => {
      const [first] = group;
      if (first === undefined) return [];
      const { outcome, error_type, status } = first;
      return [{ outcome, error_type, status, count: group.length }];
    });
}

function keyOf({ instance, logical_id, attempt }: CallRow): string {
  return JSON.stringify([instance, logical_id, attempt]);
}

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

import type { JudgedCall } from '../../contracts/reconciliation.ts';
import { AGING_BUCKETS, type AgingBucket } from '../../contracts/result-money.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';

const MINUTE_MS = 60_000;
/** Upper ends of the buckets but the last. */
const ENDS_MS: readonly number[] = [2 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, 24 * 60 * MINUTE_MS];

/**
 * Calls whose charge is still open, by their age at the last read, with what they can come to. `endedMs` gives the end
 * of a call by its id, milliseconds since the epoch.
 */
export function agingBuckets(
  calls: readonly JudgedCall[],
  endedMs: ReadonlyMap<string, number>,
  lastReadMs: number | null,
): readonly AgingBucket[] {
  if (lastReadMs === null) return [];
  const open = calls.filter(({ call_id, verdict }) => call_id !== null && verdict === 'provisional');
  const byBucket = Map.groupBy(open, ({ call_id }) =>
    bucketOf(lastReadMs - (endedMs.get(call_id ?? '') ?? lastReadMs)),
  );
  return AGING_BUCKETS.map((bucket) => {
    const inside = byBucket.get(bucket) ?? [];
    const highs = inside.map(({ expected_hi }) =>
      expected_hi === null ? null : (parseAmount(expected_hi) ?? 0n),
    );
    const known = highs.filter((high) => high !== null);
    const lows = inside.map(({ expected_lo }) =>
      expected_lo === null ? 0n : (parseAmount(expected_lo) ?? 0n),
    );
    return {
      bucket,
      calls: inside.length,
      lo: formatAmount(lows.reduce((sum, low) => sum + low, 0n)),
      hi: known.length < highs.length ? null : formatAmount(known.reduce((sum, high) => sum + high, 0n)),
    };
  });
}

function bucketOf(ageMs: number): (typeof AGING_BUCKETS)[number] {
  const index = ENDS_MS.findIndex((end) => ageMs < end);
  return AGING_BUCKETS[index === -1 ? AGING_BUCKETS.length - 1 : index] ?? AGING_BUCKETS[0];
}

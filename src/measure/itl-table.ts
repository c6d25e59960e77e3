import type { CallRow } from '../contracts/ledger-lines.ts';
import type { LatencyTable } from '../contracts/time-figures.ts';
import { tableOf } from './latency-table.ts';

/** The load engine's buckets: bounds grow by 2^(1/16) from 0.01 ms up, and gaps of exactly 0 have one of their own. */
const GROWTH = 2 ** (1 / 16);
const SMALLEST_BOUND_MS = 0.01;
/** Bounds stand in rows with five digits. */
const ROUNDING = 1e-4;

/** What the row of a stream tells of its gaps. */
export type Gaps = Pick<CallRow, 'itl' | 'max_gap_ms' | 'ttft_ms' | 'end_ms'>;

/**
 * The table of the gaps of streams, in ms; null for none. Values lie in their bucket as if it were filled evenly, and none
 * above its stream's longest gap, which rows tell exactly: so `max` is exact.
 */
export function itlTable(streams: Iterable<Gaps>): LatencyTable | null {
  const counts = new Map<number, number>();
  let count = 0;
  let sum = 0;
  let longest = 0;
  for (const { itl, max_gap_ms, ttft_ms, end_ms } of streams) {
    if (itl === null || max_gap_ms === null) continue;
    longest = Math.max(longest, max_gap_ms);
    sum += gapSum(itl, max_gap_ms, ttft_ms === null ? null : end_ms - ttft_ms);
    for (const [bound, times] of itl) {
      counts.set(bound, (counts.get(bound) ?? 0) + times);
      count += times;
    }
  }
  const values = spread(
    [...counts].sort(([left], [right]) => left - right),
    longest,
  );
  return tableOf(count, sum, values);
}

/**
 * From the first content to the last. A row holds no time of the last: where the end, at most so long after the first as
 * the gaps can be together, came with it, it is the end's; where the end came later, the sum of the buckets' middles.
 */
function gapSum(itl: NonNullable<Gaps['itl']>, longest: number, untilEnd: number | null): number {
  const top = itl.at(-1)?.[0] ?? 0;
  // One gap of the last bucket is the longest itself.
  const [least, middle, most] = [0, 0.5, 1].map((share) =>
    itl.reduce(
      (sum, [bound, times]) => sum + times * within(bound, longest, share),
      longest - within(top, longest, share),
    ),
  );
  if (least === undefined || middle === undefined || most === undefined) return 0;
  const fits = untilEnd !== null && untilEnd >= least * (1 - ROUNDING) && untilEnd <= most * (1 + ROUNDING);
  return fits ? untilEnd : middle;
}

/** The value at each rank of an ascending histogram, the last the longest. */
function spread(histogram: NonNullable<Gaps['itl']>, longest: number): (rank: number) => number | undefined {
  const ends: number[] = [];
  let count = 0;
  for (const [, times] of histogram) {
    count += times;
    ends.push(count);
  }
  return (rank) => {
    if (rank === count - 1) return longest;
    const index = ends.findIndex((end) => end > rank);
    const [bound, times] = histogram[index] ?? [];
    if (bound === undefined || times === undefined) return undefined;
    const before = (ends[index] ?? 0) - times;
    return within(bound, longest, (rank - before + 0.5) / times);
  };
}

/** The place in a bucket, of which nothing is above the longest gap, at a share of its width. */
function within(bound: number, longest: number, share: number): number {
  const lower = bound <= SMALLEST_BOUND_MS ? 0 : Math.min(bound / GROWTH, longest);
  return lower + share * (Math.min(bound, longest) - lower);
}

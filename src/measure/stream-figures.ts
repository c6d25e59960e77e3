import type { CallRow, SparseHistogram } from '../contracts/ledger-lines.ts';
import type { LatencyTable, StageFigures, StreamFigures } from '../contracts/time-figures.ts';
import { ascending, latencyTable, roundedMs, tableOf } from './latency-table.ts';
import type { LogicalCall } from './logical-call.ts';

/** A gap above so many medians of its stream is a stall. */
const STALL_FACTOR = 10;
/** Events of one read share its time: a median below 1 ms is that of reads, not of the sender. */
const LEAST_MEDIAN_MS = 1;
/** Content events of which none is so far from the one before all came at once. */
const BURST_GAP_MS = 1;

/** How the answers of ok streamed calls came; null where no call streamed. */
export function streamFigures(ok: readonly LogicalCall[]): StreamFigures | null {
  const streams = ok.map(({ last }) => last).filter((row) => row.stream && row.ttft_ms !== null);
  if (streams.length === 0) return null;
  let tokens = 0;
  let events = 0;
  let longest: number | null = null;
  let stalls = 0;
  let stalled = 0;
  let bursts = 0;
  for (const { itl, max_gap_ms, usage } of streams) {
    const gaps = gapCount(itl);
    if (usage !== null && usage.output !== null) {
      tokens += usage.output;
      events += gaps + 1;
    }
    if (itl === null || max_gap_ms === null) continue;
    longest = Math.max(longest ?? 0, max_gap_ms);
    if (max_gap_ms < BURST_GAP_MS) bursts += 1;
    const found = stallsOf(itl);
    stalls += found;
    if (found > 0) stalled += 1;
  }
  const perEvent = events === 0 ? null : Math.round((tokens / events) * 1000) / 1000;
  return {
    count: streams.length,
    tokens_per_event: perEvent,
    longest_gap_ms: longest,
    stalls,
    stalled,
    bursts,
  };
}

function gapCount(itl: SparseHistogram | null): number {
  return (itl ?? []).reduce((sum, [, times]) => sum + times, 0);
}

function stallsOf(itl: SparseHistogram): number {
  const bound = STALL_FACTOR * Math.max(LEAST_MEDIAN_MS, medianOf(itl));
  return itl.reduce((sum, [gap, times]) => sum + (gap > bound ? times : 0), 0);
}

/** The lower median, as the upper bound of its bucket. */
function medianOf(itl: SparseHistogram): number {
  const middle = (gapCount(itl) + 1) / 2;
  let seen = 0;
  for (const [gap, times] of itl) {
    seen += times;
    if (seen >= Math.floor(middle)) return gap;
  }
  return 0;
}

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

/** How the time of jobs divides, of ok calls that were one; null where none was. */
export function stageFigures(ok: readonly LogicalCall[]): StageFigures | null {
  const jobs = ok.flatMap(({ last: { job, end_ms } }) => (job === null ? [] : [{ job, end_ms }]));
  if (jobs.length === 0) return null;
  const tableOf = (values: readonly (number | null)[]) =>
    latencyTable(ascending(values.filter((value) => value !== null)));
  return {
    count: jobs.length,
    queue: tableOf(jobs.map(({ job }) => job.queue_ms)),
    run: tableOf(jobs.map(({ job }) => job.run_ms)),
    rest: tableOf(
      jobs.map(({ job: { queue_ms, run_ms }, end_ms }) =>
        queue_ms === null || run_ms === null ? null : roundedMs(Math.max(0, end_ms - queue_ms - run_ms)),
      ),
    ),
    polls: roundedMs(jobs.reduce((sum, { job }) => sum + job.polls, 0) / jobs.length),
  };
}

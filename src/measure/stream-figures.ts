import type { SparseHistogram } from '../contracts/ledger-lines.ts';
import type { StreamFigures } from '../contracts/time-figures.ts';
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

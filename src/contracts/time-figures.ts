/** Times in ms of calls that were ok, except schedule_lag (all calls). Null where nothing was measured. */
export interface LatencyTables {
  readonly ttft: LatencyTable | null;
  readonly ttfo: LatencyTable | null;
  readonly tpot: LatencyTable | null;
  /** Over the pooled gaps between content events, from histograms. */
  readonly itl: LatencyTable | null;
  readonly e2e: LatencyTable | null;
  /** From the planned start. */
  readonly e2e_planned: LatencyTable | null;
  readonly schedule_lag: LatencyTable | null;
}

export interface LatencyTable {
  readonly count: number;
  readonly min: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  /** From 1,000 values up. */
  readonly p999: number | null;
  readonly max: number;
}

/** Of ok streamed calls. */
export interface StreamFigures {
  readonly count: number;
  /** Output tokens over content events: ITL is the time of so many tokens. Null where no call tells its tokens. */
  readonly tokens_per_event: number | null;
  /** ms; null where no stream has a gap. */
  readonly longest_gap_ms: number | null;
  /** Gaps above ten times their stream's median, and the streams that have one. */
  readonly stalls: number;
  readonly stalled: number;
  /** Streams of several content events that all came at once. */
  readonly bursts: number;
}

/** Times in ms of ok jobs; null where no job showed that stage. */
export interface StageFigures {
  readonly count: number;
  /** Accepted → first seen under way. */
  readonly queue: LatencyTable | null;
  /** From there → first seen done. */
  readonly run: LatencyTable | null;
  /** What is left of e2e: handing in, and fetching the result. */
  readonly rest: LatencyTable | null;
  /** Polls of a job on average. */
  readonly polls: number;
}

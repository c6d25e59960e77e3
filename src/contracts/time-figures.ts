import { z } from 'zod';
import { wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';

export const latencyTableSchema = z
  .strictObject({
    count: wholeCount,
    min: z.number(),
    mean: z.number(),
    p50: z.number(),
    p90: z.number(),
    p95: z.number(),
    p99: z.number(),
    /** From 1,000 values up. */
    p999: z.number().nullable(),
    max: z.number(),
  })
  .meta({ id: 'latency_table' });
export type LatencyTable = Shape<typeof latencyTableSchema>;

/** Times in ms of calls that were ok, except schedule_lag (all calls). Null where nothing was measured. */
export const latencySchema = z
  .strictObject({
    ttft: latencyTableSchema.nullable(),
    ttfo: latencyTableSchema.nullable(),
    tpot: latencyTableSchema.nullable(),
    /** Over the pooled gaps between content events, from histograms. */
    itl: latencyTableSchema.nullable(),
    e2e: latencyTableSchema.nullable(),
    /** From the planned start. */
    e2e_planned: latencyTableSchema.nullable(),
    schedule_lag: latencyTableSchema.nullable(),
  })
  .meta({ id: 'latency_tables' });
export type LatencyTables = Shape<typeof latencySchema>;

/** Of ok streamed calls. */
export const streamSchema = z.strictObject({
  count: wholeCount,
  /** Output tokens over content events: ITL is the time of so many tokens. Null where no call tells its tokens. */
  tokens_per_event: z.number().nullable(),
  /** ms; null where no stream has a gap. */
  longest_gap_ms: z.number().nullable(),
  /** Gaps above ten times their stream's median, and the streams that have one. */
  stalls: wholeCount,
  stalled: wholeCount,
  /** Streams of several content events that all came at once. */
  bursts: wholeCount,
});
export type StreamFigures = Shape<typeof streamSchema>;

/** Times in ms of ok jobs; null where no job showed that stage. */
export const stageSchema = z.strictObject({
  count: wholeCount,
  /** Accepted → first seen under way. */
  queue: latencyTableSchema.nullable(),
  /** From there → first seen done. */
  run: latencyTableSchema.nullable(),
  /** What is left of e2e: handing in, and fetching the result. */
  rest: latencyTableSchema.nullable(),
  /** Polls of a job on average. */
  polls: z.number(),
});
export type StageFigures = Shape<typeof stageSchema>;

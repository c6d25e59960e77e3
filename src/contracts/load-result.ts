import { z } from 'zod';
import { PAID_KINDS } from '../core/call-kind.ts';
import { ERROR_TYPES, OUTCOMES } from './outcome.ts';
import { OBJECTIVE_MEASURES } from './plan.ts';
import { amount, ratio, wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';
import { latencySchema, latencyTableSchema, stageSchema, streamSchema } from './time-figures.ts';

const kind = z.enum(PAID_KINDS);

/** A target may give each answer a code of its own: what comes after so many groups is only counted. */
export const MOST_FAILURE_GROUPS = 10;

/** Calls that failed in the same way; what we ended ourselves (aborted, interrupted) did not fail. */
const failureGroup = z
  .strictObject({
    outcome: z.enum(OUTCOMES),
    status: z.int().nullable(),
    error_code: z.string().nullable(),
    /** The commonest error message of the group, at most 200 characters. */
    message: z.string().nullable(),
    count: wholeCount,
  })
  .meta({ id: 'failure_group' });
export type FailureGroup = Shape<typeof failureGroup>;

/** Calls that were sent again, and how often in all. */
const retryFigures = z.strictObject({ calls: wholeCount, attempts: wholeCount });
export type RetryFigures = Shape<typeof retryFigures>;

const loadFigures = z.strictObject({
  planned: wholeCount,
  started: wholeCount,
  dropped: wholeCount,
  held: wholeCount,
  ok: wholeCount,
  /** Of calls that were sent. */
  outcomes: z.partialRecord(z.enum(OUTCOMES), wholeCount),
  /** The largest groups of calls that failed, at most 10, largest first. */
  failures: z.array(failureGroup),
  /** Starts per second asked for and got, over the time of starts. */
  asked_rate: z.number().nullable(),
  achieved_rate: z.number().nullable(),
  /** Calls per second that succeed and meet every objective. */
  goodput: z.number().nullable(),
  /** Those calls over calls sent. */
  attainment: ratio.nullable(),
  latency: latencySchema,
  /** Of the attempts whose output is known; `input` is null where one of them does not tell its own. */
  tokens: z.strictObject({ input: wholeCount.nullable(), output: wholeCount }).nullable(),
  /** Output tokens per second, from the first call sent to the last end; absent where the target has a bill. */
  throughput: z
    .strictObject({
      /** Of calls that succeeded; null where an answer that is text does not tell its tokens. */
      output_tokens: z.number().nullable(),
      /** Of the median stream, after its first token. */
      per_stream: z.number().nullable(),
    })
    .optional(),
  /** The calls that goodput counts. */
  good: wholeCount,
  retries: retryFigures,
  /** How the answers came; null where no call streamed to its end. */
  streams: streamSchema.nullable(),
  /** Where the time of jobs went; null where no call was one that succeeded. */
  stages: stageSchema.nullable().default(null),
  /** What all calls cost over the good ones; null where the bill was not read, a call has no price, or none is good. */
  usd_per_1000_good: amount.nullable(),
  /** True where that is an upper bound, because the charge of a call is still open. */
  usd_per_1000_good_at_most: z.boolean(),
  /** Charged for calls that we cut on purpose; null where no bill was read or a charge is not known. */
  aborted_usd: amount.nullable(),
});
export type LoadFigures = Shape<typeof loadFigures>;

const scenarioResult = z.strictObject({
  scenario: z.string(),
  kind,
  model: z.string(),
  ...loadFigures.shape,
  /** What refusals taught of the target, in the words of the ledger's state lines; left out for nothing. */
  learnt: z.array(z.string()).optional(),
});
export type ScenarioResult = Shape<typeof scenarioResult>;

const kindResult = z.strictObject({ kind, ...loadFigures.shape });
export type KindResult = Shape<typeof kindResult>;

/** Results that could not be downloaded, by what came of their last read; `download_failed`: of it there is no row. */
const failedDownloads = z.strictObject({
  outcome: z.enum(OUTCOMES),
  error_type: z.enum(ERROR_TYPES),
  status: z.int().nullable(),
  count: wholeCount,
});
export type FailedDownloads = Shape<typeof failedDownloads>;

export const objectiveResult = z.strictObject({
  scenario: z.string(),
  measure: z.enum(OBJECTIVE_MEASURES),
  percentile: z.number().nullable(),
  max: z.number().nullable(),
  min: z.number().nullable(),
  max_usd: z.string().nullable(),
  /** Null where there was nothing to measure, which misses the objective. */
  actual: z.number().nullable(),
  /** Of usd_per_1000_good, whose `actual` is always null. */
  actual_usd: amount.nullable(),
  /** True where `actual_usd` is an upper bound: above its own bound it decides nothing. */
  actual_at_most: z.boolean(),
  met: z.boolean(),
});
export type ObjectiveResult = Shape<typeof objectiveResult>;

/** The measured calls of one API key. */
const keyResult = z.strictObject({
  key_fp: z.string(),
  /** Sent, and those of them that succeeded. */
  calls: wholeCount,
  ok: wholeCount,
  outcomes: z.partialRecord(z.enum(OUTCOMES), wholeCount),
  /** Attempts that were answered with HTTP 429. */
  rate_limited: wholeCount,
  ttft: latencyTableSchema.nullable(),
  e2e: latencyTableSchema.nullable(),
  tokens: z.strictObject({ input: wholeCount.nullable(), output: wholeCount }).nullable(),
});
export type KeyResult = Shape<typeof keyResult>;

export const loadSchema = z.strictObject({
  measured_s: z.number(),
  scenarios: z.array(scenarioResult),
  kinds: z.array(kindResult),
  total: loadFigures,
  /** Images and videos that were made and could not be fetched whole, by cause, the commonest first. */
  failed_downloads: z.array(failedDownloads).default([]),
  /** Who counted the output tokens, and of how many answers of text; absent where nobody asked. */
  output_tokens: z
    .strictObject({
      /** server, o200k, or the name of a tokenizer.json. */
      by: z.string(),
      known: wholeCount,
      of: wholeCount,
    })
    .optional(),
  objectives: z.array(objectiveResult),
  /** By fingerprint; absent where the calls were made with fewer than two keys. */
  keys: z.array(keyResult).optional(),
});
export type LoadResult = Shape<typeof loadSchema>;

/** Calls that a point of a percentile over time needs: of fewer, a high percentile is only the slowest call. */
export const LEAST_CALLS_OF_PERCENTILE = { p50: 5, p95: 20, p99: 100 } as const;

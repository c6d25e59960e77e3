import { z } from 'zod';
import { acceptedSchema } from './acceptance.ts';
import { bucketBillSchema } from './bucket-bill.ts';
import { cacheSchema } from './cache-result.ts';
import { capacitySchema } from './capacity-result.ts';
import { chainSchema } from './chain-result.ts';
import { baselineSchema } from './comparison.ts';
import { completenessSchema, coverageSchema } from './coverage-result.ts';
import { engineSchema } from './engine-result.ts';
import { findingGroupSchema } from './finding.ts';
import { loadSchema } from './load-result.ts';
import { MATCH_PASSES } from './match-pass.ts';
import { stoppedScenario } from './plan.ts';
import { moneySchema } from './result-money.ts';
import { amount, wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';
import { statementSchema } from './statement.ts';

/** `result.json`. Fields are added later, never renamed. Amounts are USD decimal strings or null. */
export const RESULT_SCHEMA = 'weighbridge.result/1';

const toolVersions = z.strictObject({
  weighbridge: z.string(),
  /** Commit of the command that made the run folder; absent where it was not known. */
  revision: z.string().optional(),
  k6: z.string().nullable(),
});
export type ToolVersions = Shape<typeof toolVersions>;

/** Pairs that each pass of matching brought together. */
const matchingRow = z.strictObject({
  pass: z.enum(MATCH_PASSES),
  pairs: wholeCount,
  charged: amount.nullable(),
});
export type MatchingRow = Shape<typeof matchingRow>;

const clientVerdict = z.strictObject({
  verdict: z.enum(['valid', 'client_limited']),
  reasons: z.array(z.string()),
  schedule_lag_p99_ms: z.number().nullable(),
  cpu_max: z.number().nullable(),
  gc_ms: z.number().nullable(),
  rows_lost: wholeCount,
  cores: wholeCount,
  /** 95 % of the seconds took no more. */
  cpu_p95: z.number().nullable(),
  /** Share of the time for which the garbage collector stopped everything. */
  gc_share: z.number().nullable(),
  /** p99 over the seconds of the largest lateness of a timer in each. */
  timer_lag_p99_ms: z.number().nullable(),
  /** p99 over the seconds of the p99 of the wait for a processor in each. */
  run_queue_p99_ms: z.number().nullable(),
  open_files_max: wholeCount.nullable(),
  open_files_limit: wholeCount.nullable(),
  rss_max_bytes: wholeCount.nullable(),
  /** Starts dropped in seconds in which less than half of the allowed calls were under way. */
  dropped_by_client: wholeCount,
  /**
   * `http.rps` where it is below the planned peak, both per second: starts wait for it, which the schedule lag holds and
   * the client is not blamed for. Else null.
   */
  rps_limit: z.strictObject({ rps: z.number(), planned: z.number() }).nullable(),
  /** From the beginning of the first engine to that of the last; null where one is not known, absent with one engine. */
  start_skew_ms: z.number().nullable().optional(),
});
export type ClientVerdict = Shape<typeof clientVerdict>;

const exitReason = z.strictObject({ code: z.int(), why: z.string() });
export type ExitReason = Shape<typeof exitReason>;

export const resultSchema = z.strictObject({
  schema: z.literal(RESULT_SCHEMA),
  run_id: z.string(),
  target: z.string(),
  plan_hash: z.string().nullable(),
  tool: toolVersions,
  period: z.strictObject({ start: z.string(), end: z.string() }).nullable(),
  /** What the bill was compared with: the calls of a ledger, or, in an audit of a past period, only its own records. */
  basis: z.enum(['ledger', 'records']).nullable().default(null),
  /** Null where there is no ledger (an audit of a past period). */
  load: loadSchema.nullable(),
  money: moneySchema.nullable(),
  /** What a prompt cache owed; absent where no charged call tells how its prompt began. */
  cache: cacheSchema.optional(),
  coverage: coverageSchema.nullable(),
  findings: z.array(findingGroupSchema),
  /** Known findings that the configuration accepts; the results of earlier versions have none. */
  accepted: z.array(acceptedSchema).default([]),
  /** How calls and records were brought together; null where no bill was read. */
  matching: z.array(matchingRow).nullable().default(null),
  completeness: completenessSchema.nullable(),
  /** The account statement that was given against the judged bill; null where none was. */
  statement: statementSchema.nullable().default(null),
  /** The bill against what the gateway bought for it; absent where nothing tells of that. */
  chain: chainSchema.optional(),
  /** A bill that tells sums, held against the calls or records; absent where none was given. */
  bucket_bill: bucketBillSchema.optional(),
  client: clientVerdict.nullable(),
  /** By instance; absent where one load engine made the run. */
  engines: z.array(engineSchema).optional(),
  /** Set where the target has no bill: then nothing is said of money. Absent elsewhere. */
  bill: z.literal('none').optional(),
  /** What the user guessed that a call costs there; absent without a guess. */
  assumed_usd_per_call: amount.optional(),
  /** Null where no capacity was searched. */
  capacity: capacitySchema.nullable(),
  /** Null where no baseline was given. */
  baseline: baselineSchema.nullable().default(null),
  stopped: z.array(stoppedScenario.strict()),
  exit_codes: z.array(exitReason),
});
export type Result = Shape<typeof resultSchema>;

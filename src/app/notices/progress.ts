import { z } from 'zod';
import { HALT_REASONS } from '../../contracts/ledger-lines.ts';
import { OUTCOMES } from '../../contracts/outcome.ts';
import { OBJECTIVE_MEASURES } from '../../contracts/plan.ts';
import { PAID_KINDS } from '../../core/call-kind.ts';

/** Of every line that `--json-progress` writes; fields may be added, so readers pass over those they do not know. */
export const PROGRESS_SCHEMA = 'weighbridge.progress/1';

/** Times and tokens `now` are those of calls that ended within this time. */
export const WINDOW_MS = 10_000;

const count = z.int().nonnegative();
const ms = z.number();
const perSecond = z.number().nullable();

/** Null where no call of the window has such a time. */
const times = z.object({ count, p50_ms: ms, p95_ms: ms, p99_ms: ms }).nullable();

const figures = z.object({
  /** Starts per second of the window that were due, and that were made; null where it is not known, never 0. */
  asked_rate: perSecond,
  started_rate: perSecond,
  /** Since the load began. */
  planned: count,
  started: count,
  in_flight: count,
  ok: count,
  failed: count,
  dropped: count,
  held: count,
  not_sent: count,
  aborted: count,
  /** Of ok calls that ended in the window, from the send of the first attempt; TTFT of streams. */
  ttft: times,
  e2e: times,
  /** Of answers that ended in the window and told both sides; null where none did. */
  tokens_per_s: z.object({ input: z.number(), output: z.number() }).nullable(),
});

const failure = z.object({
  outcome: z.enum(OUTCOMES),
  status: z.number().nullable(),
  error_code: z.string().nullable(),
  count,
  /** The same by kind; they add up to `count`. */
  kinds: z.partialRecord(z.enum(PAID_KINDS), count),
});

const objective = z.object({
  scenario: z.string(),
  measure: z.enum(OBJECTIVE_MEASURES),
  percentile: z.number().nullable(),
  /** The bound: at most `max`, or at least `min`. */
  max: z.number().nullable(),
  min: z.number().nullable(),
  /** Times are of the window, shares since the load began; null where only the report knows it. */
  actual: z.number().nullable(),
  met: z.boolean().nullable(),
});

const load = z.object({
  /** `i0`, `trial`, or a step of the search for the capacity. */
  instance: z.string(),
  elapsed_ms: ms,
  /** How long calls are started, and then at most drained. */
  planned_ms: ms,
  /** Where every scenario ends after a number of calls: their sum, further attempts left out. */
  planned_calls: count.nullable(),
  drain_ms: ms,
  /** Until the last start or, while draining, until the last call is cut; null after a halt. */
  left_ms: ms.nullable(),
  draining: z.boolean(),
  /** Why no further call is started; null while they are. */
  halted: z.enum(HALT_REASONS).nullable(),
  kinds: z.array(figures.extend({ kind: z.enum(PAID_KINDS) })),
  total: figures,
  /** Calls that failed, the commonest first, at most ten; `others` counts those that are left out. */
  errors: z.array(failure),
  errors_others: count,
  /** How each objective of the plan stands now. */
  objectives: z.array(objective),
  /** Decimal text; null where the plan has no bounds, or no cap. */
  spend: z.object({ at_most_usd: z.string().nullable(), cap_usd: z.string().nullable() }),
  client: z.object({
    cpu_cores: z.number(),
    sched_lag_ms: ms,
    timer_lag_ms: ms.nullable(),
    rows_lost: count,
  }),
  /** Null while every row is read; else how many of the window's, of how many: then times and tokens are a sample's. */
  sample: z.object({ read: count, rows: count }).nullable(),
});

const settlement = z.object({
  round: count,
  records: count,
  open_calls: count,
  proving: z.boolean(),
  left_ms: ms,
});

const verdict = z.object({
  tone: z.enum(['good', 'warning', 'bad']),
  headline: z.string(),
  /** As printed at the end. */
  lines: z.array(z.string()),
  exit_codes: z.array(count),
  report: z.string(),
});

const STAGES = ['prepare', 'trial', 'load', 'settle', 'judge', 'done'] as const;

const progressSchema = z.object({
  schema: z.literal(PROGRESS_SCHEMA),
  event: z.literal('progress'),
  at: z.iso.datetime(),
  run_id: z.string(),
  command: z.enum(['audit', 'run']),
  target: z.string(),
  stage: z.enum(STAGES),
  /** The last load's, also when it has ended; null before one. */
  load: load.nullable(),
  /** The last round of reads; null before one. */
  settlement: settlement.nullable(),
  verdict: verdict.nullable(),
});

/** What is said in words between, errors too. */
const noteSchema = z.object({
  schema: z.literal(PROGRESS_SCHEMA),
  event: z.literal('note'),
  at: z.iso.datetime(),
  text: z.string(),
});

/**
 * A line of `--json-progress`.
 * @public
 */
export const progressLineSchema = z.discriminatedUnion('event', [progressSchema, noteSchema]);

export type Progress = z.infer<typeof progressSchema>;
export type LoadProgress = z.infer<typeof load>;
export type Figures = z.infer<typeof figures>;
export type Times = z.infer<typeof times>;
export type LiveObjective = z.infer<typeof objective>;
export type Failure = z.infer<typeof failure>;
export type SettlementProgress = z.infer<typeof settlement>;

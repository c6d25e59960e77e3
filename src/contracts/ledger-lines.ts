import { z } from 'zod';
import { FREE_KINDS, PAID_KINDS } from '../core/call-kind.ts';
import { BLAMES, ERROR_TYPES, OUTCOMES } from './outcome.ts';
import { CALL_SCHEMA, INTENT_SCHEMA, LEDGER_SCHEMA, STATE_SCHEMA, TEXT_SCHEMA } from './schema-names.ts';
import type { Shape } from './shape.ts';

/*
 * The lines of a ledger file (NDJSON). `null` means not known or not applicable and never 0.
 * Every `…_ms` of a call counts from `started_at` on the monotonic clock.
 * Fields that a later version adds pass through. `go` in a field's meta names its type in xk6/ledger where that is not
 * the one its schema gives: text, whole number, number or truth, a pointer where it may be null.
 */
const text = z.string().nullable();
const number = z.number().nullable();
const count = z.number().int().nonnegative();
const countOrNull = count.nullable();
const small = count.meta({ go: 'int' });
const smallOrNull = countOrNull.meta({ go: '*int' });
const wholeOrNull = number.meta({ go: '*int64' });
const instant = z.iso.datetime({ offset: true });

const callUnits = z.looseObject({
  images: countOrNull,
  size: text,
  quality: text,
  seconds: number,
  resolution: text,
});
export type CallUnits = Shape<typeof callUnits>;

const clock = z.looseObject({ wall: z.string(), mono_ms: z.number() });
const versions = z.looseObject({ weighbridge: z.string(), k6: z.string(), go: z.string() });

/** First line of a ledger file. */
const ledgerHeader = z.looseObject({
  schema: z.literal(LEDGER_SCHEMA),
  run_id: z.string(),
  instance: z.string(),
  file: small,
  segment: text,
  seed: wholeOrNull,
  /** Wall clock taken once, with the monotonic reading at that moment. */
  clock,
  plan_hash: text,
  key_fp: text,
  /** CPU cores that the load engine may use. */
  cores: smallOrNull,
  versions,
});
export type LedgerHeader = Shape<typeof ledgerHeader>;

/** Handed to the operating system before a paid call is sent. */
const intent = z.looseObject({
  schema: z.literal(INTENT_SCHEMA),
  run_id: z.string(),
  instance: z.string(),
  call_id: z.string().min(1),
  logical_id: z.string(),
  attempt: small,
  kind: z.enum(PAID_KINDS),
  model: z.string(),
  key_fp: text,
  at: instant,
  /** Most that this call can cost by the plan's price bounds; null when the plan carries none for its model. */
  worst_case_usd: text,
  prompt_bytes: count,
  max_tokens: countOrNull,
  units: callUnits.nullable(),
  watermark: wholeOrNull,
});
export type Intent = Shape<typeof intent>;

const phaseCounts = z.object({ planned: count, started: count, dropped: count, held: count });

const scenarioState = z.looseObject({
  scenario: z.string(),
  planned: count,
  started: count,
  dropped: count,
  held: count,
  in_flight: count,
  /** Paid calls that were sent and are over, retries each for itself, and how many of them were ok. */
  finished: count,
  ok: count,
  /** Paid calls that were refused before they were sent; null where it was not counted. */
  not_sent: countOrNull.default(null).meta({ go: 'int64' }),
  /** Paid calls that were cut on purpose: finished, neither ok nor failed. Null where it was not counted. */
  aborted: countOrNull.default(null).meta({ go: 'int64' }),
  /** Attempts that another one follows: finished, the call is not. Null where it was not counted. */
  retried: countOrNull.default(null).meta({ go: 'int64' }),
  /** What refusals taught of the target, such as no_stream_options. */
  learnt: z.array(z.string()).default([]),
  /** The part of these starts that was planned in the measured phase. */
  measured: phaseCounts.optional(),
});

/** Why no further call was started. */
export const HALT_REASONS = [
  'spend_cap',
  'reserve_exceeded',
  'credit_kept',
  'quota_exhausted',
  'stop_rule_429',
  'stop_rule_5xx',
  'script_aborted',
  'interrupted',
  'ledger_failed',
] as const;
export type HaltReason = (typeof HALT_REASONS)[number];

/** Each second, and last in a file. */
const stateLine = z.looseObject({
  schema: z.literal(STATE_SCHEMA),
  run_id: z.string(),
  instance: z.string(),
  at: z.string(),
  elapsed_ms: z.number(),
  scenarios: z.array(
    // Absent in files of earlier versions, which had no phases: all was measured.
    scenarioState.transform(({ measured, ...whole }) => ({
      ...whole,
      measured: measured ?? phaseCounts.parse(whole),
    })),
  ),
  /** Largest lateness of a scheduled start in the last second, ms. */
  sched_lag_ms: z.number(),
  /** CPU cores in use over the last second. */
  cpu: z.number(),
  /** Garbage-collection pause in the last second, ms. */
  gc_ms: z.number(),
  open_files: smallOrNull,
  open_files_limit: countOrNull.default(null),
  /**
   * Largest lateness of a timer of ours that rings every 20 ms, in the last second: what any time stamp may be late by;
   * null where it was not taken.
   */
  timer_lag_ms: number.default(null).meta({ go: 'float64' }),
  /** p99 of the time that goroutines waited for a processor in the last second; null where the runtime does not tell. */
  run_queue_p99_ms: number.default(null),
  rss_bytes: countOrNull.default(null),
  rows_lost: count,
  /** Worst case reserved and not released, USD; null when the plan has no bounds. */
  reserved_usd: text,
  /** The zero of the schedules; null before, where none of ours makes the starts, and in files of earlier versions. */
  began_at: text.default(null),
  /** Why no further call is started; null while they are. */
  halted: z.enum(HALT_REASONS).nullable(),
  /** Since when; null while they are, and in files of earlier versions. */
  halted_at: text.default(null),
  /** True in the last line of a file that was closed in order. */
  final: z.boolean(),
});
export type StateLine = Shape<typeof stateLine>;
export type ScenarioState = StateLine['scenarios'][number];

const callUsage = z.looseObject({
  /** Input tokens with cache reads and writes inside, whatever the format calls them. */
  input: countOrNull,
  output: countOrNull,
  cache_read: countOrNull,
  cache_write: countOrNull,
  reasoning: countOrNull,
  /** The usage object as served. */
  raw: z.unknown().meta({ go: 'json.RawMessage' }),
});
export type CallUsage = Shape<typeof callUsage>;

const callJob = z.looseObject({
  id: text,
  /** Status values in the order seen, repeats folded. */
  statuses: z.array(z.string()),
  queue_ms: number,
  run_ms: number,
  polls: small,
});
export type CallJob = Shape<typeof callJob>;

/** Sparse histogram: [upper bound of the bucket in ms, count] pairs, ascending. */
const sparseHistogram = z.array(z.tuple([z.number(), z.number()])).meta({ go: '[][2]float64' });
export type SparseHistogram = Shape<typeof sparseHistogram>;

/** How a prompt begins: two calls with one digest began alike. The digest is keyed by the API key, so that a ledger gives no text away. */
const promptPrefix = z.looseObject({
  /** Of the prompt up to here, as JSON without white space and cache marks. */
  bytes: count,
  /** 16 hex digits. */
  digest: z.string().regex(/^[0-9a-f]{16}$/),
});
export type PromptPrefix = Shape<typeof promptPrefix>;

/** One call, written on every exit path. */
const callRow = z.looseObject({
  schema: z.literal(CALL_SCHEMA),
  run_id: z.string(),
  instance: z.string(),
  call_id: z.string().min(1),
  logical_id: z.string(),
  attempt: small,
  scenario: z.string(),
  phase: z.enum(['warm_up', 'measured', 'cool_down']),
  iteration: wholeOrNull,
  /** Of a session, from 1 on; null outside one. */
  turn: countOrNull.default(null).meta({ go: '*int' }),
  kind: z.enum([...PAID_KINDS, ...FREE_KINDS]),
  method: z.string(),
  path: z.string(),
  stream: z.boolean(),
  model: text,
  key_fp: text,
  planned_at: text,
  started_at: instant,
  wrote_ms: number,
  headers_ms: number,
  first_event_ms: number,
  ttft_ms: number,
  ttfo_ms: number,
  end_ms: z.number(),
  /** Actual minus planned start; null for calls without a planned time. */
  schedule_lag_ms: number,
  itl: sparseHistogram.nullable(),
  max_gap_ms: number,
  events: smallOrNull,
  chunks: smallOrNull,
  out_chars: smallOrNull,
  text_sha256: text,
  /** Name of the file, in the folder of this one, that holds the text; null where none was kept. */
  text_ref: text,
  status: number.meta({ go: '*int' }),
  outcome: z.enum(OUTCOMES),
  error_type: z.enum(ERROR_TYPES),
  blame: z.enum(BLAMES),
  error_code: text,
  api_error_type: text,
  error_message: text,
  request_id: text,
  request_ids: z.array(z.string()),
  /** Texts of the answer that may be its id, by the header or field that told them; records tell which. */
  other_ids: z.record(z.string(), z.string()).nullable().default(null).meta({ go: 'map[string]string' }),
  response_id: text,
  response_model: text,
  service_tier: text,
  retry_after_s: number,
  finish: text,
  terminal_seen: z.boolean().nullable(),
  usage: callUsage.nullable(),
  units: callUnits.nullable(),
  /** Calls of tools that the target ran itself, by name; null where the answer does not tell. */
  tools: z.record(z.string(), z.int().min(0)).nullable().default(null).meta({ go: 'map[string]int' }),
  max_tokens: countOrNull,
  prompt_bytes: countOrNull,
  /** Beginnings of the prompt, the shortest first; null where they were not taken, and in files of earlier versions. */
  prefixes: z.array(promptPrefix).nullable().default(null),
  watermark: wholeOrNull,
  job: callJob.nullable(),
  worst_case_usd: text,
  bytes_in: countOrNull,
  bytes_out: countOrNull,
  conn_reused: z.boolean().nullable(),
  proto: text,
});
export type CallRow = Shape<typeof callRow>;

/** What a text answer can hold beside plain text. `other`: calls of tools, further choices, whatever else is no text. */
const BESIDE_TEXT = ['refusal', 'reasoning', 'other'] as const;

/** What an answer said, in a file of its own. */
export const answerText = z.object({
  schema: z.literal(TEXT_SCHEMA),
  call_id: z.string(),
  beside: z.array(z.enum(BESIDE_TEXT)),
  /** All that a reader sees, refusals among it: `text_sha256` of the row is over it. */
  text: z.string(),
});
export type AnswerText = Shape<typeof answerText>;

export type LedgerLine = LedgerHeader | Intent | StateLine | CallRow;

/** One schema a line type. */
export const LEDGER_LINES = {
  [LEDGER_SCHEMA]: ledgerHeader,
  [INTENT_SCHEMA]: intent,
  [STATE_SCHEMA]: stateLine,
  [CALL_SCHEMA]: callRow,
} as const;

/** What xk6/ledger writes, by the names of its structs, parts before those that hold them. */
export const GO_STRUCTS = {
  Header: ledgerHeader,
  Clock: clock,
  Versions: versions,
  Units: callUnits,
  Intent: intent,
  ScenarioState: scenarioState,
  PhaseCounts: phaseCounts,
  State: stateLine,
  Usage: callUsage,
  Job: callJob,
  Prefix: promptPrefix,
  Row: callRow,
  Text: answerText,
} as const;

/** Ledger files and call ids of the trial start with it, so that they never meet those of the load. */
export const TRIAL_INSTANCE = 'trial';

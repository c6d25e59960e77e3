import { z } from 'zod';
import {
  CALL_SCHEMA,
  type CallRow,
  HALT_REASONS,
  INTENT_SCHEMA,
  type Intent,
  LEDGER_SCHEMA,
  type LedgerHeader,
  STATE_SCHEMA,
  type StateLine,
} from '../contracts/ledger-lines.ts';
import { BLAMES, ERROR_TYPES, OUTCOMES } from '../contracts/outcome.ts';
import { FREE_KINDS, PAID_KINDS } from '../core/call-kind.ts';

const text = z.string().nullable();
const number = z.number().nullable();
const count = z.number().int().nonnegative();
const countOrNull = count.nullable();
const instant = z.iso.datetime({ offset: true });

const units = z
  .looseObject({ images: countOrNull, size: text, quality: text, seconds: number, resolution: text })
  .nullable();

const phaseCounts = z.object({ planned: count, started: count, dropped: count, held: count });

const header = z.looseObject({
  schema: z.literal(LEDGER_SCHEMA),
  run_id: z.string(),
  instance: z.string(),
  file: count,
  segment: text,
  seed: number,
  clock: z.looseObject({ wall: z.string(), mono_ms: z.number() }),
  plan_hash: text,
  key_fp: text,
  cores: countOrNull,
  versions: z.looseObject({ weighbridge: z.string(), k6: z.string(), go: z.string() }),
}) satisfies z.ZodType<LedgerHeader>;

const intent = z.looseObject({
  schema: z.literal(INTENT_SCHEMA),
  run_id: z.string(),
  instance: z.string(),
  call_id: z.string().min(1),
  logical_id: z.string(),
  attempt: count,
  kind: z.enum(PAID_KINDS),
  model: z.string(),
  key_fp: text,
  at: instant,
  worst_case_usd: text,
  prompt_bytes: count,
  max_tokens: countOrNull,
  units,
  watermark: number,
}) satisfies z.ZodType<Intent>;

const state = z.looseObject({
  schema: z.literal(STATE_SCHEMA),
  run_id: z.string(),
  instance: z.string(),
  at: z.string(),
  elapsed_ms: z.number(),
  scenarios: z.array(
    z
      .looseObject({
        scenario: z.string(),
        planned: count,
        started: count,
        dropped: count,
        held: count,
        in_flight: count,
        finished: count,
        ok: count,
        not_sent: countOrNull.default(null),
        aborted: countOrNull.default(null),
        retried: countOrNull.default(null),
        measured: phaseCounts.optional(),
      })
      // Absent in files of earlier versions, which had no phases: all was measured.
      .transform(({ measured, ...whole }) => ({
        ...whole,
        measured: measured ?? phaseCounts.parse(whole),
      })),
  ),
  sched_lag_ms: z.number(),
  cpu: z.number(),
  gc_ms: z.number(),
  open_files: countOrNull,
  open_files_limit: countOrNull.default(null),
  timer_lag_ms: number.default(null),
  run_queue_p99_ms: number.default(null),
  rss_bytes: countOrNull.default(null),
  rows_lost: count,
  reserved_usd: text,
  began_at: text.default(null),
  halted: z.enum(HALT_REASONS).nullable(),
  halted_at: text.default(null),
  final: z.boolean(),
}) satisfies z.ZodType<StateLine>;

const call = z.looseObject({
  schema: z.literal(CALL_SCHEMA),
  run_id: z.string(),
  instance: z.string(),
  call_id: z.string().min(1),
  logical_id: z.string(),
  attempt: count,
  scenario: z.string(),
  phase: z.enum(['warm_up', 'measured', 'cool_down']),
  iteration: number,
  turn: countOrNull.default(null),
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
  schedule_lag_ms: number,
  itl: z.array(z.tuple([z.number(), z.number()])).nullable(),
  max_gap_ms: number,
  events: countOrNull,
  chunks: countOrNull,
  out_chars: countOrNull,
  text_sha256: text,
  text_ref: text,
  status: number,
  outcome: z.enum(OUTCOMES),
  error_type: z.enum(ERROR_TYPES),
  blame: z.enum(BLAMES),
  error_code: text,
  api_error_type: text,
  error_message: text,
  request_id: text,
  request_ids: z.array(z.string()),
  response_id: text,
  response_model: text,
  service_tier: text,
  retry_after_s: number,
  finish: text,
  terminal_seen: z.boolean().nullable(),
  usage: z
    .looseObject({
      input: countOrNull,
      output: countOrNull,
      cache_read: countOrNull,
      cache_write: countOrNull,
      reasoning: countOrNull,
      raw: z.unknown(),
    })
    .nullable(),
  units,
  tools: z.record(z.string(), z.int().min(0)).nullable().default(null),
  max_tokens: countOrNull,
  prompt_bytes: countOrNull,
  watermark: number,
  job: z
    .looseObject({
      id: text,
      statuses: z.array(z.string()),
      queue_ms: number,
      run_ms: number,
      polls: count,
    })
    .nullable(),
  worst_case_usd: text,
  bytes_in: countOrNull,
  bytes_out: countOrNull,
  conn_reused: z.boolean().nullable(),
  proto: text,
}) satisfies z.ZodType<CallRow>;

/** One schema a line type; fields that a later version adds pass through. */
export const LEDGER_LINE_SCHEMAS = {
  [LEDGER_SCHEMA]: header,
  [INTENT_SCHEMA]: intent,
  [STATE_SCHEMA]: state,
  [CALL_SCHEMA]: call,
} as const;

import type { CallKind, PaidKind } from '../core/call-kind.ts';
import type { Blame, ErrorType, Outcome } from './outcome.ts';

/**
 * The lines of a ledger file (NDJSON). `null` means not known or not applicable and never 0.
 * Every `…_ms` of a call counts from `started_at` on the monotonic clock.
 */
export const LEDGER_SCHEMA = 'weighbridge.ledger/1';
export const INTENT_SCHEMA = 'weighbridge.intent/1';
export const STATE_SCHEMA = 'weighbridge.state/1';
export const CALL_SCHEMA = 'weighbridge.call/1';
/** Of the files that `text_ref` names, beside the ledger's. */
export const TEXT_SCHEMA = 'weighbridge.text/1';

/** First line of a ledger file. */
export interface LedgerHeader {
  readonly schema: typeof LEDGER_SCHEMA;
  readonly run_id: string;
  readonly instance: string;
  readonly file: number;
  readonly segment: string | null;
  readonly seed: number | null;
  /** Wall clock taken once, with the monotonic reading at that moment. */
  readonly clock: { readonly wall: string; readonly mono_ms: number };
  readonly plan_hash: string | null;
  readonly key_fp: string | null;
  /** CPU cores that the load engine may use. */
  readonly cores: number | null;
  readonly versions: { readonly weighbridge: string; readonly k6: string; readonly go: string };
}

/** Handed to the operating system before a paid call is sent. */
export interface Intent {
  readonly schema: typeof INTENT_SCHEMA;
  readonly run_id: string;
  readonly instance: string;
  readonly call_id: string;
  readonly logical_id: string;
  readonly attempt: number;
  readonly kind: PaidKind;
  readonly model: string;
  readonly key_fp: string | null;
  readonly at: string;
  /** Most that this call can cost by the plan's price bounds; null when the plan carries none for its model. */
  readonly worst_case_usd: string | null;
  readonly prompt_bytes: number;
  readonly max_tokens: number | null;
  readonly units: CallUnits | null;
  readonly watermark: number | null;
}

export interface ScenarioState {
  readonly scenario: string;
  readonly planned: number;
  readonly started: number;
  readonly dropped: number;
  readonly held: number;
  readonly in_flight: number;
  /** Paid calls that were sent and are over, retries each for itself, and how many of them were ok. */
  readonly finished: number;
  readonly ok: number;
  /** Paid calls that were refused before they were sent; null where it was not counted. */
  readonly not_sent: number | null;
  /** Paid calls that were cut on purpose: finished, neither ok nor failed. Null where it was not counted. */
  readonly aborted: number | null;
  /** Attempts that another one follows: finished, the call is not. Null where it was not counted. */
  readonly retried: number | null;
  /** The part of these starts that was planned in the measured phase. */
  readonly measured: {
    readonly planned: number;
    readonly started: number;
    readonly dropped: number;
    readonly held: number;
  };
}

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
export interface StateLine {
  readonly schema: typeof STATE_SCHEMA;
  readonly run_id: string;
  readonly instance: string;
  readonly at: string;
  readonly elapsed_ms: number;
  readonly scenarios: readonly ScenarioState[];
  /** Largest lateness of a scheduled start in the last second, ms. */
  readonly sched_lag_ms: number;
  /** CPU cores in use over the last second. */
  readonly cpu: number;
  /** Garbage-collection pause in the last second, ms. */
  readonly gc_ms: number;
  readonly open_files: number | null;
  readonly open_files_limit: number | null;
  /**
   * Largest lateness of a timer of ours that rings every 20 ms, in the last second: what any time stamp may be late by;
   * null where it was not taken.
   */
  readonly timer_lag_ms: number | null;
  /** p99 of the time that goroutines waited for a processor in the last second; null where the runtime does not tell. */
  readonly run_queue_p99_ms: number | null;
  readonly rss_bytes: number | null;
  readonly rows_lost: number;
  /** Worst case reserved and not released, USD; null when the plan has no bounds. */
  readonly reserved_usd: string | null;
  /** The zero of the schedules; null before, where none of ours makes the starts, and in files of earlier versions. */
  readonly began_at: string | null;
  /** Why no further call is started; null while they are. */
  readonly halted: HaltReason | null;
  /** Since when; null while they are, and in files of earlier versions. */
  readonly halted_at: string | null;
  /** True in the last line of a file that was closed in order. */
  readonly final: boolean;
}

export interface CallUsage {
  /** Input tokens with cache reads and writes inside, whatever the format calls them. */
  readonly input: number | null;
  readonly output: number | null;
  readonly cache_read: number | null;
  readonly cache_write: number | null;
  readonly reasoning: number | null;
  /** The usage object as served. */
  readonly raw: unknown;
}

export interface CallUnits {
  readonly images: number | null;
  readonly size: string | null;
  readonly quality: string | null;
  readonly seconds: number | null;
  readonly resolution: string | null;
}

export interface CallJob {
  readonly id: string | null;
  /** Status values in the order seen, repeats folded. */
  readonly statuses: readonly string[];
  readonly queue_ms: number | null;
  readonly run_ms: number | null;
  readonly polls: number;
}

/** Sparse histogram: [upper bound of the bucket in ms, count] pairs, ascending. */
export type SparseHistogram = readonly (readonly [number, number])[];

/** One call, written on every exit path. */
export interface CallRow {
  readonly schema: typeof CALL_SCHEMA;
  readonly run_id: string;
  readonly instance: string;
  readonly call_id: string;
  readonly logical_id: string;
  readonly attempt: number;
  readonly scenario: string;
  readonly phase: 'warm_up' | 'measured' | 'cool_down';
  readonly iteration: number | null;
  /** Of a session, from 1 on; null outside one. */
  readonly turn: number | null;
  readonly kind: CallKind;
  readonly method: string;
  readonly path: string;
  readonly stream: boolean;
  readonly model: string | null;
  readonly key_fp: string | null;
  readonly planned_at: string | null;
  readonly started_at: string;
  readonly wrote_ms: number | null;
  readonly headers_ms: number | null;
  readonly first_event_ms: number | null;
  readonly ttft_ms: number | null;
  readonly ttfo_ms: number | null;
  readonly end_ms: number;
  /** Actual minus planned start; null for calls without a planned time. */
  readonly schedule_lag_ms: number | null;
  readonly itl: SparseHistogram | null;
  readonly max_gap_ms: number | null;
  readonly events: number | null;
  readonly chunks: number | null;
  readonly out_chars: number | null;
  readonly text_sha256: string | null;
  /** Name of the file, in the folder of this one, that holds the text; null where none was kept. */
  readonly text_ref: string | null;
  readonly status: number | null;
  readonly outcome: Outcome;
  readonly error_type: ErrorType;
  readonly blame: Blame;
  readonly error_code: string | null;
  readonly api_error_type: string | null;
  readonly error_message: string | null;
  readonly request_id: string | null;
  readonly request_ids: readonly string[];
  readonly response_id: string | null;
  readonly response_model: string | null;
  readonly service_tier: string | null;
  readonly retry_after_s: number | null;
  readonly finish: string | null;
  readonly terminal_seen: boolean | null;
  readonly usage: CallUsage | null;
  readonly units: CallUnits | null;
  /** Calls of tools that the target ran itself, by name; null where the answer does not tell. */
  readonly tools: Readonly<Record<string, number>> | null;
  readonly max_tokens: number | null;
  readonly prompt_bytes: number | null;
  readonly watermark: number | null;
  readonly job: CallJob | null;
  readonly worst_case_usd: string | null;
  readonly bytes_in: number | null;
  readonly bytes_out: number | null;
  readonly conn_reused: boolean | null;
  readonly proto: string | null;
}

/** What a text answer can hold beside plain text. `other`: calls of tools, further choices, whatever else is no text. */
export const BESIDE_TEXT = ['refusal', 'reasoning', 'other'] as const;
type BesideText = (typeof BESIDE_TEXT)[number];

/** What an answer said, in a file of its own. */
export interface AnswerText {
  readonly schema: typeof TEXT_SCHEMA;
  readonly call_id: string;
  readonly beside: readonly BesideText[];
  /** All that a reader sees, refusals among it: `text_sha256` of the row is over it. */
  readonly text: string;
}

export type LedgerLine = LedgerHeader | Intent | StateLine | CallRow;

/** Ledger files and call ids of the trial start with it, so that they never meet those of the load. */
export const TRIAL_INSTANCE = 'trial';

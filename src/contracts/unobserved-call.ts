import type { CallRow } from './ledger-lines.ts';
import { CALL_SCHEMA } from './schema-names.ts';

/** What every row must tell. */
type Told =
  | 'run_id'
  | 'instance'
  | 'call_id'
  | 'logical_id'
  | 'scenario'
  | 'kind'
  | 'path'
  | 'stream'
  | 'model'
  | 'started_at'
  | 'end_ms'
  | 'outcome'
  | 'error_type'
  | 'blame';

/** The row of a call of which nothing is known but what is told: what nobody saw is null, never 0. */
export function unobservedCall(told: Pick<CallRow, Told> & Partial<CallRow>): CallRow {
  return {
    schema: CALL_SCHEMA,
    // Who it is stands first in the line.
    ...told,
    attempt: 1,
    phase: 'measured',
    iteration: null,
    turn: null,
    method: 'POST',
    key_fp: null,
    planned_at: null,
    wrote_ms: null,
    headers_ms: null,
    first_event_ms: null,
    ttft_ms: null,
    ttfo_ms: null,
    schedule_lag_ms: null,
    itl: null,
    max_gap_ms: null,
    events: null,
    chunks: null,
    out_chars: null,
    text_sha256: null,
    text_ref: null,
    status: null,
    error_code: null,
    api_error_type: null,
    error_message: null,
    request_id: null,
    request_ids: [],
    other_ids: null,
    response_id: null,
    response_model: null,
    service_tier: null,
    retry_after_s: null,
    finish: null,
    terminal_seen: null,
    usage: null,
    units: null,
    tools: null,
    max_tokens: null,
    prompt_bytes: null,
    prefixes: null,
    watermark: null,
    job: null,
    worst_case_usd: null,
    bytes_in: null,
    bytes_out: null,
    conn_reused: null,
    proto: null,
    ...told,
  };
}

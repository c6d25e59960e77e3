import type { CallRow, Intent } from '../contracts/ledger-lines.ts';
import { INTENT_SCHEMA } from '../contracts/schema-names.ts';
import { unobservedCall } from '../contracts/unobserved-call.ts';
import { formatInstant } from '../core/time.ts';

/** 2026-11-20T12:00:00Z. */
export const START_S = 1_795_176_000;
export const START_MS = START_S * 1000;

export const TEXT_MODEL = 'text-1';
export const IMAGE_MODEL = 'image-1';
export const VIDEO_MODEL = 'video-1';

/** A text call that succeeded with 1,000 input and 100 output tokens ($0.0028), request id `req-<name>`. */
export function textRow(name: string, changes: Partial<CallRow> = {}): CallRow {
  return unobservedCall({
    run_id: 'run',
    instance: 'one',
    call_id: `call-${name}`,
    logical_id: `call-${name}`,
    scenario: 'chat',
    iteration: 0,
    kind: 'chat',
    path: '/v1/chat/completions',
    stream: true,
    model: TEXT_MODEL,
    started_at: formatInstant(START_MS),
    wrote_ms: 1,
    headers_ms: 100,
    first_event_ms: 100,
    ttft_ms: 100,
    ttfo_ms: 100,
    end_ms: 1000,
    schedule_lag_ms: 0,
    events: 100,
    chunks: 100,
    out_chars: 400,
    status: 200,
    outcome: 'ok',
    error_type: 'none',
    blame: 'none',
    request_id: `req-${name}`,
    request_ids: [`req-${name}`],
    response_model: TEXT_MODEL,
    finish: 'stop',
    terminal_seen: true,
    usage: { input: 1000, output: 100, cache_read: 0, cache_write: 0, reasoning: null, raw: {} },
    max_tokens: 100,
    prompt_bytes: 4000,
    conn_reused: true,
    proto: 'HTTP/1.1',
    ...changes,
  });
}

/** A stream cut after some text, without usage. */
export function cutRow(name: string, changes: Partial<CallRow> = {}): CallRow {
  return textRow(name, {
    outcome: 'truncated',
    error_type: 'stream_truncated',
    terminal_seen: false,
    finish: null,
    usage: null,
    ...changes,
  });
}

/** A call refused or failed before any output. */
export function errorRow(name: string, status: number, changes: Partial<CallRow> = {}): CallRow {
  return textRow(name, {
    status,
    outcome: 'http_error',
    error_type: status < 500 ? 'http_4xx' : 'http_5xx',
    usage: null,
    out_chars: 0,
    ttft_ms: null,
    ttfo_ms: null,
    ...changes,
  });
}

export function imageRow(name: string, changes: Partial<CallRow> = {}): CallRow {
  return textRow(name, {
    kind: 'image',
    model: IMAGE_MODEL,
    usage: null,
    out_chars: null,
    ttft_ms: null,
    units: { images: 1, size: '1024x1024', quality: 'low', seconds: null, resolution: null },
    ...changes,
  });
}

export function videoRow(name: string, changes: Partial<CallRow> = {}): CallRow {
  return textRow(name, {
    kind: 'video',
    model: VIDEO_MODEL,
    usage: null,
    out_chars: null,
    ttft_ms: null,
    units: { images: null, size: null, quality: null, seconds: 4, resolution: '1280x720' },
    ...changes,
  });
}

export function intentOf(name: string, changes: Partial<Intent> = {}): Intent {
  return {
    schema: INTENT_SCHEMA,
    run_id: 'run',
    instance: 'one',
    call_id: `call-${name}`,
    logical_id: `call-${name}`,
    attempt: 1,
    kind: 'chat',
    model: TEXT_MODEL,
    key_fp: null,
    at: formatInstant(START_MS),
    worst_case_usd: null,
    prompt_bytes: 4000,
    max_tokens: 100,
    units: null,
    watermark: null,
    ...changes,
  };
}

import { CALL_SCHEMA, type CallRow } from '../../core/ledger-lines.ts';
import type { Probe } from '../../core/probe-plan.ts';
import type { ProbeRun } from '../runs/probe-run.ts';
import type { DaemonView, ProbeView, TargetView } from './daemon-view.ts';

export const VIEW_NOW = Date.parse('2026-11-20T10:00:00Z');

export function probeOf(changes: Partial<Probe>): Probe {
  return {
    name: 'chat-aspen-mini',
    api: 'chat',
    model: 'aspen-mini',
    stream: false,
    interval_ms: 60_000,
    timeout_ms: 30_000,
    max_tokens: 16,
    prompt: 'Say mill.',
    size: null,
    quality: null,
    seconds: null,
    task_timeout_ms: null,
    negative: null,
    ...changes,
  };
}

export function runOf(changes: Partial<ProbeRun>): ProbeRun {
  return {
    target: 'main',
    probe: 'chat-aspen-mini',
    started_ms: VIEW_NOW - 20_400,
    ended_ms: VIEW_NOW - 20_000,
    duration_ms: 400,
    error_type: 'none',
    blame: 'none',
    why: null,
    request_id: null,
    statuses: [200],
    retry_after_ms: null,
    phases: null,
    tls_not_after_ms: null,
    rows: [],
    spend: null,
    ...changes,
  };
}

export function probeViewOf(changes: Partial<ProbeView>): ProbeView {
  return {
    name: 'chat-aspen-mini',
    api: 'chat',
    model: 'aspen-mini',
    stream: false,
    interval_ms: 60_000,
    runs: [runOf({})],
    last_success_ms: VIEW_NOW - 20_000,
    next_ms: VIEW_NOW + 40_000,
    held: null,
    ...changes,
  };
}

export function targetOf(changes: Partial<TargetView>): TargetView {
  return {
    name: 'main',
    root: 'https://gateway.example',
    probes: [probeViewOf({})],
    budget: null,
    tasks_open: [],
    credit_units: null,
    audit: null,
    ...changes,
  };
}

export function viewOf(changes: Partial<DaemonView>): DaemonView {
  return {
    version: '0.1.0',
    state: 'ready',
    not_ready: null,
    started_ms: VIEW_NOW - 3_600_000,
    now_ms: VIEW_NOW,
    reload: { successful: true, last_success_ms: VIEW_NOW - 3_600_000, problem: null },
    targets: [targetOf({})],
    ...changes,
  };
}

export function rowOf(changes: Partial<CallRow>): CallRow {
  return {
    schema: CALL_SCHEMA,
    run_id: 'r',
    instance: 'i',
    call_id: 'c',
    logical_id: 'c',
    attempt: 1,
    scenario: 'probe',
    phase: 'measured',
    iteration: null,
    turn: null,
    kind: 'chat',
    method: 'POST',
    path: '/v1/chat/completions',
    stream: false,
    model: 'aspen-mini',
    key_fp: null,
    planned_at: null,
    started_at: '2026-11-20T09:59:39.600Z',
    wrote_ms: null,
    headers_ms: null,
    first_event_ms: null,
    ttft_ms: null,
    ttfo_ms: null,
    end_ms: 400,
    schedule_lag_ms: null,
    itl: null,
    max_gap_ms: null,
    events: null,
    chunks: null,
    out_chars: null,
    text_sha256: null,
    text_ref: null,
    status: 200,
    outcome: 'ok',
    error_type: 'none',
    blame: 'none',
    error_code: null,
    api_error_type: null,
    error_message: null,
    request_id: null,
    request_ids: [],
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
    watermark: null,
    job: null,
    worst_case_usd: null,
    bytes_in: null,
    bytes_out: null,
    conn_reused: null,
    proto: null,
    ...changes,
  };
}

import {
  CALL_SCHEMA,
  type CallRow,
  type ScenarioState,
  STATE_SCHEMA,
  type StateLine,
} from '../core/ledger-lines.ts';
import { PLAN_SCHEMA, type Plan, type ScenarioPlan } from '../core/plan.ts';
import { formatInstant } from '../core/time.ts';

export const RUN = 'run-1';
/** Epoch ms at which the test runs start. */
export const ZERO = Date.UTC(2026, 10, 20, 10, 0, 0);

export function scenarioPlan(changes: Partial<ScenarioPlan> = {}): ScenarioPlan {
  return {
    name: 'chat',
    kind: 'chat',
    model: 'vendor/model:1',
    arrival: { stages: [{ duration_ms: 10_000, from_millirate: 1000, to_millirate: 1000 }], max_calls: null },
    max_in_flight: 10,
    text: { stream_share: 1, prompt_bytes: 100, max_tokens: 50 },
    image: null,
    video: null,
    ...changes,
  };
}

export function planOf(
  scenarios: readonly ScenarioPlan[],
  objectives: Plan['workload']['objectives'] = [],
): Plan {
  return {
    schema: PLAN_SCHEMA,
    run_id: RUN,
    created_at: formatInstant(ZERO),
    plan_hash: 'abc123',
    nonce: 'nonce',
    target: {
      name: 'test',
      root: 'http://127.0.0.1:9',
      v1: 'http://127.0.0.1:9/v1',
      api: 'http://127.0.0.1:9/api',
      embedded: true,
      key: 'exclusive',
    },
    cap: { max_spend_usd: null, bounds: [] },
    workload: {
      seed: 7,
      duration_ms: 10_000,
      drain_ms: 5000,
      timeouts: { connect_ms: 1, headers_ms: 1, first_token_ms: 1, idle_ms: 1, total_ms: 1, task_ms: 1 },
      scenarios,
      objectives,
    },
    stopped: [],
  };
}

let calls = 0;

/** An ok streamed chat call; `at` is its start in ms after ZERO. */
export function callRow(at: number, changes: Partial<CallRow> = {}): CallRow {
  calls += 1;
  return {
    schema: CALL_SCHEMA,
    run_id: RUN,
    instance: 'i1',
    call_id: `c${calls}`,
    logical_id: `l${calls}`,
    attempt: 1,
    scenario: 'chat',
    phase: 'measured',
    iteration: calls,
    kind: 'chat',
    method: 'POST',
    path: '/v1/chat/completions',
    stream: true,
    model: 'vendor/model:1',
    key_fp: null,
    planned_at: formatInstant(ZERO + at),
    started_at: formatInstant(ZERO + at),
    wrote_ms: 1,
    headers_ms: 50,
    first_event_ms: 60,
    ttft_ms: 100,
    ttfo_ms: 110,
    end_ms: 500,
    schedule_lag_ms: 1,
    itl: null,
    max_gap_ms: null,
    events: 10,
    chunks: 10,
    out_chars: 40,
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
    finish: 'stop',
    terminal_seen: true,
    usage: { input: 20, output: 11, cache_read: null, cache_write: null, reasoning: null, raw: null },
    units: null,
    max_tokens: 50,
    prompt_bytes: 100,
    watermark: null,
    job: null,
    worst_case_usd: null,
    bytes_in: 1,
    bytes_out: 1,
    conn_reused: true,
    proto: 'HTTP/1.1',
    ...changes,
  };
}

export function failedRow(at: number, changes: Partial<CallRow> = {}): CallRow {
  return callRow(at, {
    outcome: 'http_error',
    error_type: 'http_5xx',
    blame: 'gateway',
    status: 503,
    ttft_ms: null,
    ttfo_ms: null,
    usage: null,
    ...changes,
  });
}

export function stateLine(counts: Partial<ScenarioState>, changes: Partial<StateLine> = {}): StateLine {
  const scenario = {
    scenario: 'chat',
    planned: 0,
    started: 0,
    dropped: 0,
    held: 0,
    in_flight: 0,
    finished: 0,
    ok: 0,
  };
  return {
    schema: STATE_SCHEMA,
    run_id: RUN,
    instance: 'i1',
    at: formatInstant(ZERO + 10_000),
    elapsed_ms: 10_000,
    scenarios: [{ ...scenario, ...counts }],
    sched_lag_ms: 1,
    cpu: 0.4,
    gc_ms: 2,
    open_files: 10,
    rows_lost: 0,
    reserved_usd: null,
    halted: null,
    final: true,
    ...changes,
  };
}

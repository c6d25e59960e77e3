import type { CallRow, ScenarioState, StateLine } from '../contracts/ledger-lines.ts';
import type { Plan, ScenarioPlan } from '../contracts/plan.ts';
import { unobservedCall } from '../contracts/unobserved-call.ts';
import { formatInstant } from '../core/time.ts';
import {
  arrivalOf,
  planOf as corePlanOf,
  scenarioOf,
  scenarioStateOf,
  stateOf,
  textOf,
  workloadOf,
} from '../workload/plan.test-support.ts';
import type { CallCosts } from './call-costs.ts';

const RUN = 'run-1';
/** Epoch ms at which the test runs start. */
export const ZERO = Date.UTC(2026, 10, 20, 10, 0, 0);

export function scenarioPlan(changes: Partial<ScenarioPlan> = {}): ScenarioPlan {
  return scenarioOf({
    arrival: arrivalOf(),
    text: textOf({ stream_share: 1, prompt_bytes: 100, max_tokens: 50 }),
    ...changes,
  });
}

export function planOf(
  scenarios: readonly ScenarioPlan[],
  objectives: Plan['workload']['objectives'] = [],
): Plan {
  return corePlanOf({ run_id: RUN, workload: workloadOf({ scenarios, objectives }) });
}

let calls = 0;

/** An ok streamed chat call; `at` is its start in ms after ZERO. */
export function callRow(at: number, changes: Partial<CallRow> = {}): CallRow {
  calls += 1;
  return unobservedCall({
    run_id: RUN,
    instance: 'i1',
    call_id: `c${calls}`,
    logical_id: `l${calls}`,
    scenario: 'chat',
    iteration: calls,
    kind: 'chat',
    path: '/v1/chat/completions',
    stream: true,
    model: 'vendor/model:1',
    planned_at: formatInstant(ZERO + at),
    started_at: formatInstant(ZERO + at),
    wrote_ms: 1,
    headers_ms: 50,
    first_event_ms: 60,
    ttft_ms: 100,
    ttfo_ms: 110,
    end_ms: 500,
    schedule_lag_ms: 1,
    events: 10,
    chunks: 10,
    out_chars: 40,
    status: 200,
    outcome: 'ok',
    error_type: 'none',
    blame: 'none',
    finish: 'stop',
    terminal_seen: true,
    usage: { input: 20, output: 11, cache_read: null, cache_write: null, reasoning: null, raw: null },
    max_tokens: 50,
    prompt_bytes: 100,
    bytes_in: 1,
    bytes_out: 1,
    conn_reused: true,
    proto: 'HTTP/1.1',
    ...changes,
  });
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
  return stateOf({
    run_id: RUN,
    instance: 'i1',
    at: formatInstant(ZERO + 10_000),
    scenarios: [scenarioStateOf(counts)],
    ...changes,
  });
}

/** Each call by itself; null where its cost is not known. */
export function costsOf(amounts: Readonly<Record<string, bigint | null>>): CallCosts {
  const single = Object.entries(amounts).map(
    ([id, amount]) => [id, amount === null ? null : { amount, at_most: false }] as const,
  );
  return { single: new Map(single), shared: [] };
}

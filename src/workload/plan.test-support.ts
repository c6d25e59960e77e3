import type { ScenarioState, StateLine } from '../contracts/ledger-lines.ts';
import type {
  Arrival,
  ArrivalStage,
  HttpOptions,
  Objective,
  Plan,
  RetryPolicy,
  RunLimits,
  ScenarioPlan,
  SpendCap,
  TextShape,
  Workload,
} from '../contracts/plan.ts';

/** An even arrival of one call a second for ten seconds, unless said otherwise. */
export function arrivalOf(changes: Partial<Arrival> = {}): Arrival {
  return {
    stages: [stageOf(10_000, 1_000)],
    max_calls: null,
    process: 'even',
    burstiness: 1,
    concurrency: null,
    trace: null,
    ...changes,
  };
}

export function stageOf(
  duration_ms: number,
  from_millirate: number,
  to_millirate = from_millirate,
): ArrivalStage {
  return { duration_ms, from_millirate, to_millirate };
}

/** Half of the calls stream; nothing is cached, padded or kept in a session. */
export function textOf(changes: Partial<TextShape> = {}): TextShape {
  return {
    stream_share: 0.5,
    prompt_bytes: 300,
    max_tokens: 64,
    cached_share: 0,
    prompts: null,
    session: null,
    watermark: null,
    ...changes,
  };
}

export function scenarioOf(changes: Partial<ScenarioPlan> = {}): ScenarioPlan {
  return {
    name: 'chat',
    kind: 'chat',
    model: 'vendor/model:1',
    arrival: arrivalOf(),
    max_in_flight: 10,
    text: textOf(),
    image: null,
    video: null,
    abort: null,
    ...changes,
  };
}

export function objectiveOf(changes: Partial<Objective> = {}): Objective {
  return {
    scenario: 'chat',
    measure: 'error_share',
    percentile: null,
    max: changes.min === undefined && changes.max_usd === undefined ? 0 : null,
    min: null,
    max_usd: null,
    ...changes,
  };
}

export const NO_RETRY: RetryPolicy = {
  max_attempts: 1,
  first_wait_ms: 1_000,
  factor: 2,
  max_wait_ms: 30_000,
  jitter: 0.2,
};

export const PLAIN_HTTP: HttpOptions = {
  rps: null,
  debug: 'off',
  http2: true,
  reuse: 'vu',
  dns: { ttl: '5m', select: 'random', policy: 'preferIPv4' },
  hosts: {},
  insecure_skip_tls_verify: false,
  tls_min: null,
};

export const NO_LIMITS: RunLimits = {
  max_in_flight: null,
  max_in_flight_by_model: {},
  keep_credit_share: null,
  stop: null,
};

export const NO_CAP: SpendCap = { max_spend_usd: null, by_scenario: {}, by_model: {}, bounds: [] };

export function workloadOf(changes: Partial<Workload> = {}): Workload {
  return {
    seed: 7,
    duration_ms: 10_000,
    drain_ms: 5_000,
    warm_up_ms: 0,
    cool_down_ms: 0,
    timeouts: { connect_ms: 1, headers_ms: 1, first_token_ms: 1, idle_ms: 1, total_ms: 1, task_ms: 1 },
    retry: NO_RETRY,
    http: PLAIN_HTTP,
    calls_per_vu: 1,
    scenarios: [scenarioOf()],
    objectives: [],
    ...changes,
  };
}

export function planOf(changes: Partial<Plan> = {}): Plan {
  return {
    schema: 'weighbridge.plan/1',
    run_id: 'run-1',
    created_at: '2026-11-20T10:00:00.000Z',
    plan_hash: 'abc123',
    nonce: 'nonce',
    target: {
      name: 'test',
      root: 'http://127.0.0.1:9',
      v1: 'http://127.0.0.1:9/v1',
      api: 'http://127.0.0.1:9/api',
      embedded: true,
      key: 'exclusive',
      bill: 'served',
    },
    cap: NO_CAP,
    limits: NO_LIMITS,
    keep_text: false,
    workload: workloadOf(),
    stopped: [],
    ...changes,
  };
}

export function scenarioStateOf(changes: Partial<ScenarioState> = {}): ScenarioState {
  const { planned = 0, started = 0, dropped = 0, held = 0 } = changes;
  return {
    scenario: 'chat',
    planned,
    started,
    dropped,
    held,
    in_flight: 0,
    finished: 0,
    ok: 0,
    not_sent: 0,
    aborted: 0,
    retried: 0,
    learnt: [],
    measured: { planned, started, dropped, held },
    ...changes,
  };
}

/** The last line of a file in good order. */
export function stateOf(changes: Partial<StateLine> = {}): StateLine {
  return {
    schema: 'weighbridge.state/1',
    run_id: 'run-1',
    instance: 'i0',
    at: '2026-11-20T10:00:10.000Z',
    elapsed_ms: 10_000,
    scenarios: [scenarioStateOf()],
    sched_lag_ms: 1,
    cpu: 0.4,
    gc_ms: 2,
    open_files: 10,
    open_files_limit: 1_024,
    timer_lag_ms: 0.5,
    run_queue_p99_ms: 0.1,
    rss_bytes: 100_000_000,
    rows_lost: 0,
    reserved_usd: null,
    began_at: null,
    halted: null,
    halted_at: null,
    final: true,
    ...changes,
  };
}

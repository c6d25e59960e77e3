import type { Plan, ScenarioPlan } from '../../src/contracts/plan.ts';
import { PLAN_SCHEMA } from '../../src/contracts/schema-names.ts';

const SCENARIO = 'bench';
const MODEL = 'aspen-mini';

export interface PlannedLoad {
  readonly root: string;
  readonly stream: boolean;
  readonly duration_ms: number;
  readonly calls_per_vu: number;
  /** Calls at once; with a rate the most that may be. */
  readonly in_flight: number;
  /** A closed loop of so many calls, or of as many as the duration gives; or starts per second. */
  readonly load: { readonly calls: number | null } | { readonly rate: number };
}

/** A plan as a run has one: with a cap and price bounds, so that reserving is in the figures too. */
export function benchPlan(load: PlannedLoad): Plan {
  return {
    schema: PLAN_SCHEMA,
    run_id: 'bench',
    created_at: '2026-01-01T00:00:00.000Z',
    plan_hash: '0'.repeat(64),
    nonce: 'bench',
    target: {
      name: 'mock',
      root: load.root,
      v1: `${load.root}/v1`,
      api: `${load.root}/api`,
      embedded: false,
      key: 'exclusive',
      bill: 'served',
    },
    cap: {
      max_spend_usd: '1000000000',
      by_scenario: {},
      by_model: {},
      bounds: [
        {
          model: MODEL,
          kind: 'chat',
          per_input_token: '1000000',
          per_output_token: '4000000',
          fixed: '0',
          max_output_tokens: 4096,
          limit_obeyed: true,
        },
      ],
    },
    limits: { max_in_flight: null, max_in_flight_by_model: {}, keep_credit_share: null, stop: null },
    keep_text: false,
    workload: {
      seed: 1,
      duration_ms: load.duration_ms,
      drain_ms: 60_000,
      warm_up_ms: 0,
      cool_down_ms: 0,
      timeouts: TIMEOUTS,
      retry: { max_attempts: 1, first_wait_ms: 1000, factor: 2, max_wait_ms: 60_000, jitter: 0.2 },
      http: {
        rps: null,
        debug: 'off',
        http2: false,
        reuse: 'vu',
        dns: { ttl: '5m', select: 'random', policy: 'preferIPv4' },
        hosts: {},
        insecure_skip_tls_verify: false,
        tls_min: null,
      },
      calls_per_vu: load.calls_per_vu,
      scenarios: [scenario(load)],
      objectives: [],
    },
    stopped: [],
  };
}

/** Generous: none of them may decide a figure. */
const TIMEOUTS = {
  connect_ms: 30_000,
  headers_ms: 60_000,
  first_token_ms: 60_000,
  idle_ms: 60_000,
  total_ms: 300_000,
  task_ms: 300_000,
};

function scenario({ load, duration_ms, in_flight, stream }: PlannedLoad): ScenarioPlan {
  const millirate = 'rate' in load ? load.rate * 1000 : 0;
  return {
    name: SCENARIO,
    kind: 'chat',
    model: MODEL,
    arrival: {
      stages: [{ duration_ms, from_millirate: millirate, to_millirate: millirate }],
      max_calls: 'calls' in load ? load.calls : null,
      process: 'even',
      burstiness: 1,
      concurrency: 'calls' in load ? in_flight : null,
      trace: null,
    },
    max_in_flight: in_flight,
    text: {
      stream_share: stream ? 1 : 0,
      prompt_bytes: 200,
      max_tokens: 50,
      cached_share: 0,
      prompts: null,
      session: null,
      watermark: null,
    },
    image: null,
    video: null,
    abort: null,
  };
}

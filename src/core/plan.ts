import type { PaidKind } from './call-kind.ts';

/** The resolved plan (`plan.json`): all that k6 and the reports need to know about a run, and no secret. */
export const PLAN_SCHEMA = 'weighbridge.plan/1';

export interface Plan {
  readonly schema: typeof PLAN_SCHEMA;
  readonly run_id: string;
  readonly created_at: string;
  /** SHA-256 of the canonical JSON of `workload`: equal hashes plan equal calls. */
  readonly plan_hash: string;
  /** Seeds the markers in prompts; outside the hash. */
  readonly nonce: string;
  readonly target: PlanTarget;
  readonly cap: SpendCap;
  readonly limits: RunLimits;
  /** Whether the text of answers is kept beside the ledger. Outside the hash: it plans no call. */
  readonly keep_text: boolean;
  readonly workload: Workload;
  /** Scenarios that were taken out before the load, each with its reason. */
  readonly stopped: readonly StoppedScenario[];
}

/** A scenario that cannot be weighed: its model is not offered or not priced, or its trial call could not be judged. */
export interface StoppedScenario {
  readonly scenario: string;
  readonly kind: PaidKind;
  readonly model: string;
  readonly reason: string;
}

export interface PlanTarget {
  readonly name: string;
  /** `{base_url}`, without a slash at the end. */
  readonly root: string;
  readonly v1: string;
  readonly api: string;
  readonly embedded: boolean;
  readonly key: 'shared' | 'exclusive';
}

export interface SpendCap {
  /** USD; null for the embedded gateway started by the command itself, and in a plan that is only shown. */
  readonly max_spend_usd: string | null;
  /** USD that the scenario of a name, or the calls of a model, may take of it at most. */
  readonly by_scenario: Readonly<Record<string, string>>;
  readonly by_model: Readonly<Record<string, string>>;
  readonly bounds: readonly PriceBound[];
}

/** Upper bounds of one model and kind, integers in 10⁻¹² USD as decimal strings, dearest tier, rounded up. */
export interface PriceBound {
  readonly model: string;
  readonly kind: PaidKind;
  readonly per_input_token: string;
  readonly per_output_token: string;
  /** For the whole call: images × price, or seconds × price. */
  readonly fixed: string;
  /** Largest output that the model can return. */
  readonly max_output_tokens: number;
  /** True where a trial call showed that the limit in the request binds the output: then that limit is the most. */
  readonly limit_obeyed: boolean;
}

/** When the run stops by itself, and how much is under way at once. Outside the hash: it plans no call. */
export interface RunLimits {
  /** Calls in flight of all scenarios together; a start beyond it is dropped and counted. */
  readonly max_in_flight: number | null;
  readonly max_in_flight_by_model: Readonly<Record<string, number>>;
  /** Stop when the account's remaining quota falls under this share of its value at the start. */
  readonly keep_credit_share: number | null;
  readonly stop: StopRules | null;
}

/** Stops the run when a share of the calls that ended in the last `over_ms`, at least `min_calls`, is above its bound. */
interface StopRules {
  readonly over_ms: number;
  readonly min_calls: number;
  readonly share_429: number | null;
  readonly share_5xx: number | null;
}

export interface Workload {
  readonly seed: number;
  readonly duration_ms: number;
  /** How long calls in flight may finish after the last start. */
  readonly drain_ms: number;
  /** Starts planned in the first `warm_up_ms` and the last `cool_down_ms` of the duration stay out of the figures. */
  readonly warm_up_ms: number;
  readonly cool_down_ms: number;
  readonly timeouts: CallTimeouts;
  readonly retry: RetryPolicy;
  readonly http: HttpOptions;
  /** Calls that one virtual user holds at once: 1 isolates them, more saves memory. */
  readonly calls_per_vu: number;
  readonly scenarios: readonly ScenarioPlan[];
  readonly objectives: readonly Objective[];
}

export interface CallTimeouts {
  readonly connect_ms: number;
  readonly headers_ms: number;
  readonly first_token_ms: number;
  readonly idle_ms: number;
  readonly total_ms: number;
  /** From submit to the final state of a job or video task. */
  readonly task_ms: number;
}

/** Interface §7: what may be sent again, and when. A completed request sent again can be charged again. */
export interface RetryPolicy {
  /** 1: nothing is sent again. */
  readonly max_attempts: number;
  readonly first_wait_ms: number;
  readonly factor: number;
  readonly max_wait_ms: number;
  /** Each wait is lengthened by a seeded random share of itself up to this one. */
  readonly jitter: number;
}

/** As k6 knows them. */
export interface HttpOptions {
  /** Requests per second of the whole run, free ones included; null for no limit. */
  readonly rps: number | null;
  readonly debug: 'off' | 'headers' | 'full';
  readonly http2: boolean;
  /** How long a connection is kept: with its virtual user, for one iteration, or for one request. */
  readonly reuse: 'vu' | 'iteration' | 'none';
  readonly dns: {
    readonly ttl: string;
    readonly select: 'first' | 'random' | 'roundRobin';
    readonly policy: 'preferIPv4' | 'preferIPv6' | 'onlyIPv4' | 'onlyIPv6' | 'any';
  };
  /** Addresses in place of a name's, such as `gateway.example: 127.0.0.1:8443`. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly insecure_skip_tls_verify: boolean;
  readonly tls_min: 'tls1.2' | 'tls1.3' | null;
}

export interface ScenarioPlan {
  /** `[0-9a-zA-Z_-]+`, unique in the plan. */
  readonly name: string;
  readonly kind: PaidKind;
  readonly model: string;
  readonly arrival: Arrival;
  /** Most calls in flight at once; a start beyond it is dropped and counted. */
  readonly max_in_flight: number;
  readonly text: TextShape | null;
  readonly image: ImageShape | null;
  readonly video: VideoShape | null;
  /** Calls that are cut on purpose, to audit what a disconnect costs. */
  readonly abort: AbortShape | null;
}

/** When a scenario's calls start. Of `concurrency` and `trace` at most one is set; both leave the rates of the stages at 0. */
export interface Arrival {
  /** Piecewise linear rate. */
  readonly stages: readonly ArrivalStage[];
  /** Stop after this many starts; null for as many as the stages give. */
  readonly max_calls: number | null;
  /**
   * even: starts are where the integral of the rate passes 0, 1, 2 …
   * poisson, gamma: as many starts over the same integral, with random gaps of coefficient of variation
   * 1/√burstiness; poisson is gamma with burstiness 1.
   */
  readonly process: 'even' | 'poisson' | 'gamma';
  /** Shape of the gamma distribution; 1 for poisson and even. Below 1 bursts, above 1 evens out. */
  readonly burstiness: number;
  /** Closed loop: so many calls are under way at all times, the next starts when one ends. */
  readonly concurrency: number | null;
  readonly trace: TraceRef | null;
}

/** Starts replayed from `<run folder>/<file>` (NDJSON of TraceLine, ascending), which holds those of all scenarios. */
interface TraceRef {
  readonly file: string;
  readonly sha256: string;
  /** Starts of this scenario. */
  readonly calls: number;
}

/** One start of a trace; what is null is as the scenario says. */
export interface TraceLine {
  readonly scenario: string;
  /** With the model as the trace names it: the file alone tells the scenarios, so that it can be replayed again. */
  readonly kind: PaidKind;
  readonly model: string | null;
  /** From the start of the run, whole microseconds. */
  readonly at_us: number;
  readonly prompt_bytes: number | null;
  readonly max_tokens: number | null;
  readonly stream: boolean | null;
}

/** What share of the calls is cut, and when after sent: at whichever comes first. */
export interface AbortShape {
  readonly share: number;
  readonly after_ms: number | null;
  readonly after_events: number | null;
}

/** One size for all calls, or 2 to 1,024 equally likely ones, ascending: the quantiles of a distribution. */
export type SizeTable = number | readonly number[];

export interface ArrivalStage {
  readonly duration_ms: number;
  /** Starts per 1,000 s at the stage's beginning and end: integers, so that 0.005/s is exact. */
  readonly from_millirate: number;
  readonly to_millirate: number;
}

export interface TextShape {
  /** Share of calls that stream, 0 to 1. */
  readonly stream_share: number;
  /** Size of the prompt in bytes: prefix, marker and padding included. A file of prompts has sizes of its own. */
  readonly prompt_bytes: SizeTable;
  readonly max_tokens: SizeTable;
  /** Share of the prompt that all calls of the scenario begin with; 0 puts the marker first, so that no cache can match. */
  readonly cached_share: number;
  readonly prompts: PromptFile | null;
  readonly session: SessionShape | null;
  /**
   * Call n is padded by a number of one-token words below this one, other for calls near in time, so that it can be told
   * from its neighbours by its input tokens alone; null for none.
   */
  readonly watermark: WatermarkShape | null;
}

/** Prompts of the user's own: one a line of text, or NDJSON objects with a `prompt`. The texts never enter the plan. */
export interface PromptFile {
  /** Absolute path. */
  readonly path: string;
  readonly sha256: string;
  readonly count: number;
  /** Size in bytes of the largest. */
  readonly max_bytes: number;
  readonly order: 'in_turn' | 'random';
}

/** A conversation: each turn carries all turns before it. One start of the scenario is one session. */
interface SessionShape {
  readonly turns: SizeTable;
  /** Between the end of an answer and the next turn. */
  readonly think_ms: SizeTable;
}

/** Scenarios that share a model share its counter: this one takes every `of`-th value, from `first` on. */
export interface WatermarkShape {
  readonly modulus: number;
  readonly of: number;
  readonly first: number;
}

export interface ImageShape {
  readonly size: string;
  readonly quality: 'auto' | 'low' | 'medium' | 'high';
  readonly response_format: 'url' | 'b64_json';
  /** Share of edit calls sent as multipart/form-data; the rest is JSON. */
  readonly multipart_share: number;
}

export interface VideoShape {
  readonly seconds: number;
  readonly size: string;
}

/** A good call succeeds and meets every objective on times that holds for it; attainment is good over sent. */
export const OBJECTIVE_MEASURES = [
  'ttft_ms',
  'tpot_ms',
  'e2e_ms',
  'error_share',
  'dropped_share',
  'goodput_rate',
  'attainment_share',
  'usd_per_1000_good',
] as const;
export type ObjectiveMeasure = (typeof OBJECTIVE_MEASURES)[number];

/** A bound that decides exit code 4: `min` for goodput_rate and attainment_share, `max_usd` for usd_per_1000_good, else `max`. */
export interface Objective {
  readonly scenario: string;
  readonly measure: ObjectiveMeasure;
  /** Of the times; null for the others. */
  readonly percentile: number | null;
  readonly max: number | null;
  readonly min: number | null;
  /** Decimal text. */
  readonly max_usd: string | null;
}

/** True for a bound on time, which a starved client cannot judge. */
export function isTimeObjective(objective: Objective): boolean {
  return objective.measure === 'ttft_ms' || objective.measure === 'tpot_ms' || objective.measure === 'e2e_ms';
}

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
  /** Largest output that the model can return; an output limit in the request does not lower it. */
  readonly max_output_tokens: number;
}

export interface Workload {
  readonly seed: number;
  readonly duration_ms: number;
  /** How long calls in flight may finish after the last start. */
  readonly drain_ms: number;
  readonly timeouts: CallTimeouts;
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
}

/** Piecewise linear arrival rate. Starts are at absolute times where the integral passes 0, 1, 2 … */
export interface Arrival {
  readonly stages: readonly ArrivalStage[];
  /** Stop after this many starts; null for as many as the stages give. */
  readonly max_calls: number | null;
}

export interface ArrivalStage {
  readonly duration_ms: number;
  /** Starts per 1,000 s at the stage's beginning and end: integers, so that 0.005/s is exact. */
  readonly from_millirate: number;
  readonly to_millirate: number;
}

export interface TextShape {
  /** Share of calls that stream, 0 to 1. */
  readonly stream_share: number;
  /** Size of the prompt in bytes, marker included. */
  readonly prompt_bytes: number;
  readonly max_tokens: number;
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

/** A bound that decides exit code 4. `percentile` is null for shares. */
export interface Objective {
  readonly scenario: string;
  readonly measure: 'ttft_ms' | 'tpot_ms' | 'e2e_ms' | 'error_share' | 'dropped_share';
  readonly percentile: number | null;
  readonly max: number;
}

/** True for a bound on time, which a starved client cannot judge. */
export function isTimeObjective(objective: Objective): boolean {
  return objective.measure === 'ttft_ms' || objective.measure === 'tpot_ms' || objective.measure === 'e2e_ms';
}

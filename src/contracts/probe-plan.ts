import type { PicoUsd } from '../core/amount.ts';
import type { BudgetPeriod } from '../core/budget-period.ts';
import type { TextKind } from '../core/call-kind.ts';
import type { DialectSetting } from './dialect.ts';

/** Paid kinds of a call that are probed. */
export const PROBED_KINDS = [
  'chat',
  'responses',
  'messages',
  'image',
  'image_edit',
  'image_job',
  'image_edit_job',
  'video',
] as const;
export type ProbedKind = (typeof PROBED_KINDS)[number];

/** Documents that a gateway serves for free. */
export const FREE_READS = ['models', 'pricebook', 'usage', 'usage_requests', 'account'] as const;

/** What a probe asks for. */
export const PROBE_APIS = [...PROBED_KINDS, ...FREE_READS, 'negative'] as const;
export type ProbeApi = (typeof PROBE_APIS)[number];

/** A request that a gateway must refuse, and what of it is wrong. */
export const NEGATIVE_RULES = [
  'no_key',
  'wrong_key_kind',
  'unknown_model',
  'missing_user_header',
  'result_before_completion',
] as const;
export type NegativeRule = (typeof NEGATIVE_RULES)[number];

/** One thing that is done again and again at one target. */
export interface Probe {
  /** Unique in its target; a label value. */
  readonly name: string;
  readonly api: ProbeApi;
  /** Null where the api names none. */
  readonly model: string | null;
  readonly stream: boolean;
  readonly interval_ms: number;
  readonly timeout_ms: number;
  /** Text: the most output asked for, and the prompt. */
  readonly max_tokens: number | null;
  readonly prompt: string | null;
  /** Text: a prompt cache can match the prompt. Absent: none can. */
  readonly cached?: true;
  /** Image and video. */
  readonly size: string | null;
  readonly quality: string | null;
  readonly seconds: number | null;
  /** From submit to the final state of a task. */
  readonly task_timeout_ms: number | null;
  readonly negative: NegativeRule | null;
}

/** The cap of each period. */
export interface BudgetLimits extends Readonly<Record<BudgetPeriod, PicoUsd | null>> {
  readonly hour: PicoUsd;
  readonly day: PicoUsd;
  /** Null: none. */
  readonly month: PicoUsd | null;
}

/** A gateway that is watched. Credentials stand in files or the environment and are read again when they change. */
export interface ProbeTarget {
  /** Unique; a label value. */
  readonly name: string;
  /** Of its folder under the state. */
  readonly folder: string;
  readonly bases: { readonly root: string; readonly v1: string; readonly api: string };
  readonly loopback: boolean;
  /** `env:NAME` or `file:PATH`; null where there is none. */
  readonly key: string | null;
  readonly access_token: string | null;
  readonly user_id: string | null;
  /** Of every request: in lower case, with a text, `env:NAME` or `file:PATH` each. */
  readonly headers: Readonly<Record<string, string>>;
  /** How it serves usage and prices; `auto` looks. */
  readonly dialect: DialectSetting;
  /** Null: no paid probe is allowed. */
  readonly budget: BudgetLimits | null;
  /** What a paid run is taken to cost where no price list has its price; null: such a probe does not run. */
  readonly assumed_run_usd: PicoUsd | null;
  /** Runs at a time. */
  readonly concurrency: number;
  readonly probes: readonly Probe[];
  /** Models whose presence and prices are watched; those of its probes are among them. */
  readonly watched_models: readonly string[];
}

export interface ProbeListen {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert_file: string; readonly key_file: string } | null;
  readonly auth:
    | { readonly kind: 'bearer'; readonly token_file: string }
    | { readonly kind: 'basic'; readonly user: string; readonly password_file: string }
    | null;
}

/** `probe` of weighbridge.yaml, resolved. */
export interface ProbePlan {
  readonly listen: ProbeListen;
  readonly targets: readonly ProbeTarget[];
  /** Series that one metric may have; what is beyond becomes `other`. */
  readonly series_limit: number;
  /** How often own calls are held against their records. */
  readonly reconcile_ms: number;
  /** How long a drain may take at the end. */
  readonly drain_ms: number;
  /** `<state>`: what outlives the daemon stands beneath it, one folder a target. */
  readonly state_dir: string;
}

export function isFreeRead(api: ProbeApi): boolean {
  return FREE_READS.some((read) => read === api);
}

export function isTextApi(api: ProbeApi): api is TextKind {
  return api === 'chat' || api === 'responses' || api === 'messages';
}

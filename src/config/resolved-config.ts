import type { AcceptedCause } from '../contracts/acceptance.ts';
import type { DialectSetting } from '../contracts/dialect.ts';
import type { FaultClass, Severity } from '../contracts/fault-class.ts';
import type {
  AbortShape,
  Arrival,
  CallTimeouts,
  HttpOptions,
  ImageShape,
  Objective,
  PromptFile,
  RetryPolicy,
  RunLimits,
  TextShape,
  VideoShape,
} from '../contracts/plan.ts';
import type { PaidKind } from '../core/call-kind.ts';
import type { Budget } from './budget-schema.ts';
import type { BodyMembers } from './request-body.ts';
import type { ResolvedBilling } from './resolve-billing.ts';
import type { Spread } from './spread.ts';
import type { TargetBases } from './target-bases.ts';
import type { HeaderReferences } from './target-headers.ts';
import type { ReplayedField } from './trace-schema.ts';

/** Who set a value. */
export type Origin = 'flag' | 'env' | 'file' | 'default';

/** The configuration with every value set. Holds no secret. */
export interface ResolvedConfig {
  /** File that was read. */
  readonly file: string;
  readonly target: ResolvedTarget;
  readonly duration_ms: number;
  readonly seed: number;
  /** Fixes the cache-breaking markers; null for new ones each run. */
  readonly nonce: string | null;
  readonly drain_ms: number;
  /** Together shorter than the duration. */
  readonly warm_up_ms: number;
  readonly cool_down_ms: number;
  readonly calls_per_vu: number;
  readonly keep_text: boolean;
  readonly timeouts: CallTimeouts;
  readonly retry: RetryPolicy;
  readonly http: HttpOptions;
  readonly limits: Omit<RunLimits, 'max_in_flight_by_model'>;
  /** Decimal text: the factor that is already in the rates of `traffic`. */
  readonly rate_scale: string;
  /** Empty where a trace is replayed. */
  readonly traffic: readonly ResolvedTraffic[];
  readonly trace: ResolvedTrace | null;
  /** True when nobody asked for this traffic: on an own target it then holds no images and videos. */
  readonly default_traffic: boolean;
  /** Names of the file's scenarios in whose place the flags of the calls stand; empty where none went. */
  readonly replaced_traffic: readonly string[];
  readonly models: ReadonlyMap<string, ResolvedModel>;
  readonly objectives: readonly ConfigObjective[];
  readonly tolerances: {
    readonly min_checked: number;
    readonly gate: Severity;
    readonly gate_usd: string;
    /** Empty: all. */
    readonly gate_classes: readonly FaultClass[];
  };
  readonly accept: readonly AcceptedCause[];
  /** The least that a cause must come to before a letter claims it; null: anything. */
  readonly claims: { readonly minimum_usd: string | null };
  readonly billing: ResolvedBilling;
  readonly settle: { readonly wait_ms: number; readonly poll_ms: number };
  readonly archive: { readonly days: number };
  readonly spend: {
    readonly max_usd: string | null;
    /** Further attempts included. */
    readonly max_calls: number | null;
    /** What the user guesses where the target has no prices; never added to a known amount. */
    readonly assume_usd_per_call: string | null;
  };
  readonly metrics: ResolvedMetrics;
  /** Origin of each value by its path, such as `traffic[0].rate`. */
  readonly origins: Readonly<Record<string, Origin>>;
}

/** Where the metrics of a load run go while it goes. */
export interface ResolvedMetrics {
  readonly remote_write: {
    readonly url: string;
    readonly username: string | null;
    /** References, `env:NAME` or `file:` with an absolute path: never the secrets. */
    readonly password: string | null;
    readonly bearer_token: string | null;
  } | null;
}

export interface ResolvedTarget {
  /** Null: the embedded gateway is meant. */
  readonly bases: TargetBases | null;
  readonly name: string | null;
  readonly key: 'shared' | 'exclusive';
  /** server, o200k or an absolute path; null where nobody said. */
  readonly tokenizer: string | null;
  readonly dialect: DialectSetting;
  /** Texts and references, never secrets. */
  readonly headers: HeaderReferences;
  /** Null: by whether there is a bill. */
  readonly stream_end: 'done' | 'finish_reason' | null;
  readonly permission: Permission | null;
  /** Of all that is paid there, by any command. */
  readonly budget: Budget | null;
}

export interface Permission {
  readonly by: string;
  readonly until: string;
  /** Null: as many as are planned. */
  readonly max_rps: number | null;
  readonly max_in_flight: number | null;
}

interface ResolvedModel {
  readonly max_output: number | null;
  readonly max_in_flight: number | null;
  readonly max_usd: string | null;
}

export interface ResolvedTrace {
  /** Absolute path. */
  readonly file: string;
  /** Names of its columns where they are other than the fields'. */
  readonly columns: Readonly<Partial<Record<ReplayedField, string>>>;
  /** Decimal factor over its pace, before `rate_scale`. */
  readonly speed: number;
  readonly kind: PaidKind | null;
  readonly model: string | null;
  readonly max_in_flight: number;
  /** Of `--extra`. */
  readonly body: BodyMembers;
  /** For the lines of text kinds that say nothing of their own. */
  readonly text: Pick<ResolvedText, 'stream_share' | 'prompt_tokens' | 'max_tokens'>;
}

export interface ResolvedTraffic {
  readonly name: string;
  readonly kind: PaidKind;
  readonly model: string | null;
  /** Starts per 1,000 s before the first stage. */
  readonly millirate: number;
  readonly stages: readonly { readonly duration_ms: number; readonly millirate: number }[];
  readonly process: Arrival['process'];
  readonly burstiness: number;
  /** Set: a closed loop, whose rates are 0. */
  readonly concurrency: number | null;
  readonly max_calls: number | null;
  readonly max_in_flight: number;
  readonly max_usd: string | null;
  readonly abort: AbortShape | null;
  /** Merged into each request body; empty for nothing. */
  readonly body: BodyMembers;
  readonly text: ResolvedText | null;
  readonly image: ImageShape | null;
  readonly video: VideoShape | null;
}

export interface ResolvedText {
  readonly stream_share: number;
  readonly prompt_tokens: Spread;
  readonly max_tokens: Spread;
  /** Null: learnt from a refusal. */
  readonly max_tokens_key: TextShape['max_tokens_key'] | null;
  readonly cached_share: number;
  /** `file` is absolute. */
  readonly prompts: { readonly file: string; readonly order: PromptFile['order'] } | null;
  readonly session: { readonly turns: Spread; readonly think_ms: Spread } | null;
  readonly watermark_modulus: number | null;
}

/** Exactly one of `scenario` and `kind` is set. */
export interface ConfigObjective extends Omit<Objective, 'scenario'> {
  readonly scenario: string | null;
  readonly kind: PaidKind | null;
}

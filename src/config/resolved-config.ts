import type { PaidKind } from '../core/call-kind.ts';
import type { Severity } from '../core/fault-class.ts';
import type { CallTimeouts, ImageShape, Objective, VideoShape } from '../core/plan.ts';
import type { TargetBases } from './target-bases.ts';

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
  readonly timeouts: CallTimeouts;
  /** Decimal text: the factor that is already in the rates of `traffic`. */
  readonly rate_scale: string;
  readonly traffic: readonly ResolvedTraffic[];
  /** True when nobody asked for this traffic: on an own target it then holds no images and videos. */
  readonly default_traffic: boolean;
  readonly models: ReadonlyMap<string, { readonly max_output: number | null }>;
  readonly objectives: readonly ConfigObjective[];
  readonly tolerances: { readonly min_checked: number; readonly gate: Severity };
  readonly settle: { readonly wait_ms: number; readonly poll_ms: number };
  readonly spend: { readonly max_usd: string | null };
  /** Origin of each value by its path, such as `traffic[0].rate`. */
  readonly origins: Readonly<Record<string, Origin>>;
}

export interface ResolvedTarget {
  /** Null: the embedded gateway is meant. */
  readonly bases: TargetBases | null;
  readonly name: string | null;
  readonly key: 'shared' | 'exclusive';
  readonly permission: Permission | null;
}

export interface Permission {
  readonly by: string;
  readonly until: string;
  readonly max_rps: number;
  readonly max_in_flight: number;
}

export interface ResolvedTraffic {
  readonly name: string;
  readonly kind: PaidKind;
  readonly model: string | null;
  /** Starts per 1,000 s before the first stage. */
  readonly millirate: number;
  readonly stages: readonly { readonly duration_ms: number; readonly millirate: number }[];
  readonly max_in_flight: number;
  readonly text: {
    readonly stream_share: number;
    readonly prompt_tokens: number;
    readonly max_tokens: number;
  } | null;
  readonly image: ImageShape | null;
  readonly video: VideoShape | null;
}

/** Exactly one of `scenario` and `kind` is set. */
export interface ConfigObjective extends Omit<Objective, 'scenario'> {
  readonly scenario: string | null;
  readonly kind: PaidKind | null;
}

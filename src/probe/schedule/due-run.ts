import type { SKIP_REASONS } from '../../contracts/metrics/label-values.ts';
import type { Probe, ProbeTarget } from '../../contracts/probe-plan.ts';

/** Why a run was not started; a label value. */
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface TargetProbe {
  readonly target: ProbeTarget;
  readonly probe: Probe;
}

/** A run that is to be made now. */
export interface DueRun extends TargetProbe {
  /** The same for the same planned run after a restart. */
  readonly id: string;
  /** Milliseconds since the epoch; of a run that was asked for, when it was. */
  readonly planned_ms: number;
  /** Asked for, not planned. */
  readonly asked: boolean;
  /** Aborted when a drain has waited long enough. */
  readonly signal: AbortSignal;
}

/** What the schedule must know of how a run ended. */
export type RunEnd =
  | {
      readonly kind: 'ended';
      /** What the target asked to wait; null where it asked for nothing. */
      readonly retry_after_ms: number | null;
    }
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

import type { PlanTarget } from '../core/plan.ts';

/** `period.json` of an audit without a run of ours: whose bill of which time is judged. It stands where a run has a plan. */
export const PERIOD_SCHEMA = 'weighbridge.period/1';

export interface AuditPeriod {
  readonly schema: typeof PERIOD_SCHEMA;
  readonly run_id: string;
  readonly target: PlanTarget;
  /** RFC 3339 UTC, half-open: `start` inside, `end` outside. */
  readonly start: string;
  readonly end: string;
  /** Fingerprints of the keys whose records are read. */
  readonly keys: readonly string[];
}

import type { Confidence, Direction, FaultClass, Severity } from './fault-class.ts';

export const FINDING_SCHEMA = 'weighbridge.finding/1';

/** One line of findings.ndjson. Amounts are USD decimal strings; null where the evidence gives no figure. */
export interface Finding {
  readonly schema: typeof FINDING_SCHEMA;
  /** Stable over re-runs: from the class, the rule and the evidence. */
  readonly id: string;
  readonly class: FaultClass;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly direction: Direction;
  /** Charged minus due, positive when the customer pays too much; null where only bounds are known. */
  readonly delta_exact: string | null;
  readonly delta_min: string | null;
  readonly delta_max: string | null;
  /** What it rests on, for example `request:…`, `record:…`, `call:…`, `book:…`, `totals:…`. */
  readonly evidence: readonly string[];
  readonly request_id: string | null;
  readonly call_id: string | null;
  readonly model: string | null;
  readonly rule: string;
  readonly explanation: string;
  readonly next_step: string;
  /** True while its deadline has not passed: it does not gate. */
  readonly provisional: boolean;
}

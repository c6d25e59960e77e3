import { z } from 'zod';
import {
  type Confidence,
  type Direction,
  FAULT_CLASSES,
  type FaultClass,
  type Severity,
} from './fault-class.ts';
import { amount, wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';
import type { Warrant } from './warrant.ts';

export const FINDING_SCHEMA = 'weighbridge.finding/1';

export interface FittedHypothesis {
  readonly name: string;
  readonly fit: number;
  readonly of: number;
}

/** One line of findings.ndjson. Amounts are USD decimal strings; null where the evidence gives no figure. */
export interface Finding {
  readonly schema: typeof FINDING_SCHEMA;
  /** Stable over re-runs: from the class, the rule and the evidence. */
  readonly id: string;
  readonly class: FaultClass;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** What it rests on as an accusation. A habit proves nothing: it is bounded, and stands in no letter. */
  readonly warrant: Warrant;
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
  /** When it becomes final, RFC 3339 UTC; null where it is final or no deadline is known. */
  readonly deadline_at: string | null;
  /** Which sum of the money its delta explains: charges, held reserves, charges that are missing, or none. */
  readonly bridge: 'settled' | 'held' | 'absent' | 'none';
  /** Id of the finding over many rows that explains this one, which then gates for it; null where it stands alone. */
  readonly group: string | null;
  /** Rows that it is about: 1, or those beneath a finding over many. */
  readonly rows: number;
  /** The explanation that fits to the digit, and on how many of the rows tried. */
  readonly hypothesis: FittedHypothesis | null;
  /** When an earlier run of the same state saw it first, RFC 3339 UTC; null in its first run. */
  readonly first_seen: string | null;
}

/** The findings of one class and severity, as `result.json` sums them up. */
export const findingGroupSchema = z.strictObject({
  class: z.enum(FAULT_CLASSES),
  severity: z.enum(['S1', 'S2', 'S3', 'S4']),
  count: wholeCount,
  provisional: wholeCount,
  delta: amount.nullable(),
  /** True when at least one of them is at or above the gate. */
  gates: z.boolean(),
  /** How many are; what a finding over many rows explains counts once, as that finding. */
  gating: wholeCount.default(0),
  /** Rows that are wrong, each once. */
  rows: wholeCount.default(0),
  /** What they come from: a finding over many rows is one cause, any other finding its own. */
  causes: wholeCount.default(0),
});
export type FindingGroup = Shape<typeof findingGroupSchema>;

import type { CallKind } from './call-kind.ts';
import type { Finding } from './finding.ts';
import type { CompletenessResult, CoverageResult, FindingGroup, MoneyResult } from './result.ts';

/** What the reconciler concludes from a ledger, usage records and price books. */
export interface Reconciliation {
  readonly money: MoneyResult;
  readonly coverage: CoverageResult;
  /** Sorted by class, request id, id. */
  readonly findings: readonly Finding[];
  readonly groups: readonly FindingGroup[];
  readonly completeness: CompletenessResult;
  readonly calls: readonly JudgedCall[];
  /** Calls whose charge is known only as that of all of them together. */
  readonly sums: readonly JudgedSum[];
  /** Reads that would settle what is still open; empty when nothing more can be learnt by reading now. */
  readonly wanted: readonly WantedRead[];
  /** Findings at or above the gate exist (exit 5). */
  readonly gated: boolean;
  /** Why no conclusion is possible (exit 7); empty when there is one. */
  readonly inconclusive: readonly string[];
}

/** One paid call, or one record no call explains, with its judgement. */
export interface JudgedCall {
  readonly call_id: string | null;
  readonly kind: CallKind | null;
  readonly model: string | null;
  readonly request_id: string | null;
  readonly record_ids: readonly string[];
  /** How call and record were brought together. */
  readonly match: 'request_id' | 'open_intent' | 'none' | 'foreign';
  readonly started_at: string | null;
  readonly outcome: string | null;
  readonly expected: string | null;
  readonly expected_lo: string | null;
  readonly expected_hi: string | null;
  readonly charged: string | null;
  readonly verdict:
    | 'to_the_digit'
    | 'within_bounds'
    | 'finding'
    | 'not_checkable'
    | 'provisional'
    | 'not_charged';
  /** The sum term by term. */
  readonly lines: readonly ChargeLine[];
  readonly why: string;
}

/** Calls without an id and the records that fit them, of which nothing tells which is whose. */
export interface JudgedSum {
  readonly call_ids: readonly string[];
  /** Of all their records, surplus ones too; null while one is pending or cannot be read. */
  readonly charged: string | null;
}

export interface ChargeLine {
  readonly meter: string;
  readonly units: string;
  readonly price: string;
  readonly per: string;
  readonly subtotal: string;
}

export type WantedRead =
  | { readonly read: 'sweep'; readonly why: string }
  | { readonly read: 'request'; readonly request_id: string; readonly why: string };

import type { Severity } from '../core/fault-class.ts';
import type { PriceBound } from '../core/plan.ts';
import type { ReadLine, UsageRecordLine, UsageTotalsLine } from '../core/usage-lines.ts';
import type { LoadedLedger } from '../ledger/load-ledger.ts';
import type { BookReading } from '../pricebook/read-price-book.ts';

/** All that a judgement rests on. Nothing else, no clock above all, may change it. */
export interface ReconcileInput {
  /** Null for a ledger without a plan. */
  readonly plan: PlannedBounds | null;
  readonly ledger: LoadedLedger;
  readonly reads: readonly ReadLine[];
  readonly records: readonly UsageRecordLine[];
  readonly totals: readonly UsageTotalsLine[];
  readonly books: readonly ArchivedBook[];
  /** Whether only this ledger's calls use the key. */
  readonly key: 'shared' | 'exclusive';
  readonly tolerances: Tolerances;
}

/** They decide exit codes only, never what a finding is. */
export interface Tolerances {
  /** Findings of this severity and above gate. */
  readonly gate: Severity;
  /** Least share of the charged USD that must be checked for a conclusion, 0 to 1. */
  readonly min_checked: number;
}

export const DEFAULT_TOLERANCES: Tolerances = { gate: 'S3', min_checked: 0.95 };

export interface ArchivedBook {
  /** Name of the file under books/ without `.json`. */
  readonly sha256: string;
  readonly reading: BookReading;
}

/** What a judgement takes from a plan. */
export interface PlannedBounds {
  readonly cap: { readonly bounds: readonly PriceBound[] };
}

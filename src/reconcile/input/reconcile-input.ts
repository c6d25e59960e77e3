import type { AcceptedCause } from '../../contracts/acceptance.ts';
import type { BillingTerms } from '../../contracts/billing-terms.ts';
import type { FaultClass, Severity } from '../../contracts/fault-class.ts';
import type { PriceBound } from '../../contracts/plan.ts';
import type { SuspenseItem } from '../../contracts/suspense.ts';
import type { ReadLine, UsageRecordLine, UsageTotalsLine } from '../../contracts/usage-lines.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import type { BookReading } from '../../pricebook/read/read-price-book.ts';
import type { AcceptedSums } from '../records/accepted-sums.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { CountedUpstream } from '../records/upstream-calls.ts';
import type { OwnCounts } from '../tokens/token-count-learn.ts';

/** All that a judgement rests on. Nothing else, no clock above all, may change it. */
export interface ReconcileInput {
  /** Null for a ledger without a plan. */
  readonly plan: PlannedBounds | null;
  readonly ledger: LoadedLedger;
  readonly reads: readonly ReadLine[];
  readonly records: readonly UsageRecordLine[];
  readonly totals: readonly UsageTotalsLine[];
  readonly books: readonly ArchivedBook[];
  /** `records`: there is no ledger, and each record is judged by itself. */
  readonly basis: 'ledger' | 'records';
  /** Whether only this ledger's calls use the key. */
  readonly key: 'shared' | 'exclusive';
  readonly tolerances: Tolerances;
  /** Agreed prices, policies, readings and deadlines. */
  readonly terms: BillingTerms;
  /** Open items of earlier runs, and the name of this one; null where no state is kept. */
  readonly suspense: { readonly run_id: string; readonly opening: readonly SuspenseItem[] } | null;
  /** What a gateway behind the target counted of each call, by call id; empty where none was watched. */
  readonly upstream: ReadonlyMap<string, CountedUpstream>;
  /** Calls that were proved clean beforehand and are not in `ledger` and `records`; absent: none. */
  readonly accepted?: AcceptedSums;
  /** What else of ours used the key; absent: nothing is known of it. */
  readonly known?: KnownTraffic;
  /** The client's own count of prompts that follow from the plan, and of answers whose text was kept; absent where none was made. */
  readonly own_counts?: OwnCounts;
}

/** What other commands of ours did with the key. */
export interface KnownTraffic {
  /** By whose they are: `run <id>`, or `the probe`. */
  readonly calls: readonly { readonly of: string; readonly calls: readonly PaidCall[] }[];
  /** Of runs whose calls can be read no more, when they took place: ms since the epoch, both ends inside. */
  readonly times: readonly { readonly of: string; readonly from_ms: number; readonly to_ms: number }[];
}

export const NOTHING_KNOWN: KnownTraffic = { calls: [], times: [] };

/** They decide exit codes only, never what a finding is. */
export interface Tolerances {
  /** Findings of this severity and above gate. */
  readonly gate: Severity;
  /** Least share of the charged USD that must be checked for a conclusion, 0 to 1. */
  readonly min_checked: number;
  /** USD that a finding's difference must exceed, in either direction, to gate; plain decimal. */
  readonly gate_usd: string;
  /** Only these classes gate; empty: all. */
  readonly gate_classes: readonly FaultClass[];
  /** Known findings that do not gate while this holds. */
  readonly accept: readonly AcceptedCause[];
}

export const DEFAULT_TOLERANCES: Tolerances = {
  gate: 'S3',
  min_checked: 0.95,
  gate_usd: '0',
  gate_classes: [],
  accept: [],
};

export interface ArchivedBook {
  /** Name of the file under books/ without `.json`. */
  readonly sha256: string;
  readonly reading: BookReading;
  /** The user's own, in place of what the target serves. Absent: as served. */
  readonly own?: boolean;
}

/** What a judgement takes from a plan. */
export interface PlannedBounds {
  readonly cap: { readonly bounds: readonly PriceBound[] };
}

import type { CallKind } from '../core/call-kind.ts';
import type { Accepted } from './acceptance.ts';
import type { CacheResult } from './cache-result.ts';
import type { CompletenessResult, CoverageResult } from './coverage-result.ts';
import type { Finding, FindingGroup } from './finding.ts';
import type { CallRow } from './ledger-lines.ts';
import type { MatchPass } from './match-pass.ts';
import type { MatchingRow } from './result.ts';
import type { MoneyResult } from './result-money.ts';
import type { SuspenseItem } from './suspense.ts';

/** What the reconciler concludes from a ledger, usage records and price books. */
export interface Reconciliation {
  readonly money: MoneyResult;
  /** Absent where no charged call tells how its prompt began. */
  readonly cache?: CacheResult;
  readonly coverage: CoverageResult;
  /** Sorted by class, request id, id. */
  readonly findings: readonly Finding[];
  readonly groups: readonly FindingGroup[];
  /** What the configuration accepts of them, and whether that still holds. */
  readonly accepted: readonly Accepted[];
  readonly completeness: CompletenessResult;
  readonly matching: readonly MatchingRow[];
  /** The suspense account after this run, cleared items too; null where no state is kept. */
  readonly suspense: readonly SuspenseItem[] | null;
  readonly calls: readonly JudgedCall[];
  /** Calls whose charge is known only as that of all of them together. */
  readonly sums: readonly JudgedSum[];
  /** Reads that would settle what is still open; empty when nothing more can be learnt by reading now. */
  readonly wanted: readonly WantedRead[];
  /** Findings at or above the gate exist (exit 5). */
  readonly gated: boolean;
  /** Why no conclusion is possible (exit 7); empty when there is one. */
  readonly inconclusive: readonly string[];
  /** What the sums rest on that nobody told; while there is any, a letter asks and demands no sum. */
  readonly untold: readonly UntoldTerm[];
}

/** Terms that the interface leaves open: told where the target publishes them, or the configuration declares them. */
export const OPEN_TERMS = ['rounding', 'amount_meaning', 'price_edition'] as const;
export type UntoldTerm = (typeof OPEN_TERMS)[number];

export const JUDGEMENTS = [
  'to_the_digit',
  'within_bounds',
  'finding',
  'not_checkable',
  'provisional',
  'not_charged',
] as const;

export type PriceGrade = 'published' | 'declared' | 'inferred';

/** One paid call, or one record no call explains, with its judgement. */
export interface JudgedCall {
  readonly call_id: string | null;
  readonly kind: CallKind | null;
  readonly model: string | null;
  readonly request_id: string | null;
  readonly record_ids: readonly string[];
  /** How call and record were brought together. */
  readonly match: MatchPass;
  /** 1 for an id; of an assignment 1 − cost over that of the second best; 0 where there is no pair. */
  readonly score: number;
  readonly match_why: string;
  /** Whose units the expected charge rests on: what the client saw, or only what the record says. */
  readonly basis: 'client' | 'record' | 'none';
  /** How the price that it was judged by is known. */
  readonly grade: PriceGrade | null;
  /** Tier of the price book; null where it has none. */
  readonly tier: string | null;
  readonly started_at: string | null;
  readonly outcome: string | null;
  readonly expected: string | null;
  readonly expected_lo: string | null;
  readonly expected_hi: string | null;
  readonly charged: string | null;
  readonly verdict: (typeof JUDGEMENTS)[number];
  /** The sum term by term. */
  readonly lines: readonly ChargeLine[];
  readonly why: string;
  /** The line of the ledger; null for a killed call or a record without a call. */
  readonly row: CallRow | null;
  /** The record that stands for the call; null where there is none, or one of several cannot be told. */
  readonly record: RecordFacts | null;
  /** All records that stand for it; absent where there is none, or they are those of a common sum. */
  readonly records?: readonly RecordFacts[];
  /** Its part of the money; absent where it has none, or it is that of a common sum. */
  readonly money?: RowMoney;
}

/**
 * USD. Over all calls and sums they add up to the fields of that name of the money, and in each
 * charged = expected (0 where null) + difference + open.
 */
export interface RowMoney {
  /** Null where a charge cannot be read; an amount of more than 12 decimals counts with its lower bound. */
  readonly charged: string | null;
  /** Where the right charge is one figure. */
  readonly expected: string | null;
  /** Null where no charge could be read. */
  readonly difference: string | null;
  readonly certain_over: string;
  readonly certain_under: string;
  readonly open: string;
}

/** What a usage record says, as far as it could be read; null where a field is missing or malformed. */
export interface RecordFacts {
  readonly id: string;
  readonly request_id: string;
  /** Unix seconds. */
  readonly created_at: number | null;
  readonly model: string;
  readonly result: string;
  readonly billing_status: string;
  /** What the status means. */
  readonly role?: 'pending' | 'settled' | 'refunded' | 'waived' | 'unknown';
  /** Amounts as served. */
  readonly amount: { readonly text: string };
  readonly reserved: { readonly text: string };
  readonly refunded: { readonly text: string };
  readonly input: bigint | null;
  readonly output: bigint | null;
  readonly cache_read: bigint | null;
  readonly cache_write: bigint | null;
  readonly usage_estimated: boolean;
  readonly pricebook_id: string;
  readonly pricing_version: string;
  /** Ids of the calls that the gateway made for it, where the record names them. */
  readonly upstream_ids?: readonly string[];
  /** Whose it is by the mapping of another program's rows; absent where nobody asked. */
  readonly group?: RecordGroup;
}

/** `by` is what the groups are, such as team. */
export interface RecordGroup {
  readonly by: string;
  /** Null for a row that names none. */
  readonly name: string | null;
}

/** Calls without an id and the records that fit them, of which nothing tells which is whose. */
export interface JudgedSum {
  readonly call_ids: readonly string[];
  /** Of all their records, surplus ones too; null while one is pending or cannot be read. */
  readonly charged: string | null;
  readonly records?: readonly RecordFacts[];
  readonly money?: RowMoney;
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

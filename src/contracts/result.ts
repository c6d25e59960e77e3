import type { PaidKind } from '../core/call-kind.ts';
import type { Objective, StoppedScenario } from '../core/plan.ts';
import type { BaselineResult } from './comparison.ts';
import type { FaultClass } from './fault-class.ts';
import type { FindingGroup } from './finding.ts';
import type { MatchPass } from './match-pass.ts';
import type { ErrorType, Outcome } from './outcome.ts';
import type { RunMoney } from './result-money.ts';
import type { StatementBridge } from './statement.ts';
import type { LatencyTables, StageFigures, StreamFigures } from './time-figures.ts';
import type { HazardSeen, ReadLeaf } from './usage-lines.ts';

export type { StoppedScenario } from '../core/plan.ts';
export type { FindingGroup } from './finding.ts';
export {
  AGING_BUCKETS,
  type AgingBucket,
  type ChargedMoney,
  type DayMoney,
  type ModelMoney,
  type MoneyResult,
  type SuspenseBridge,
  type SuspenseSum,
  type TrafficSum,
} from './result-money.ts';
export type { LatencyTable, LatencyTables, StageFigures, StreamFigures } from './time-figures.ts';

/** `result.json`. Fields are added later, never renamed. Amounts are USD decimal strings or null. */
export const RESULT_SCHEMA = 'weighbridge.result/1';

export interface Result {
  readonly schema: typeof RESULT_SCHEMA;
  readonly run_id: string;
  readonly target: string;
  readonly plan_hash: string | null;
  readonly tool: ToolVersions;
  readonly period: { readonly start: string; readonly end: string } | null;
  /** What the bill was compared with: the calls of a ledger, or, in an audit of a past period, only its own records. */
  readonly basis: 'ledger' | 'records' | null;
  /** Null where there is no ledger (an audit of a past period). */
  readonly load: LoadResult | null;
  readonly money: RunMoney | null;
  readonly coverage: CoverageResult | null;
  readonly findings: readonly FindingGroup[];
  /** How calls and records were brought together; null where no bill was read. */
  readonly matching: readonly MatchingRow[] | null;
  readonly completeness: CompletenessResult | null;
  /** The account statement that was given against the judged bill; null where none was. */
  readonly statement: StatementBridge | null;
  readonly client: ClientVerdict | null;
  /** Null where no capacity was searched. */
  readonly capacity: CapacityResult | null;
  /** Null where no baseline was given. */
  readonly baseline: BaselineResult | null;
  readonly stopped: readonly StoppedScenario[];
  readonly exit_codes: readonly ExitReason[];
}

export interface ToolVersions {
  readonly weighbridge: string;
  /** Commit of the command that made the run folder; absent where it was not known. */
  readonly revision?: string | undefined;
  readonly k6: string | null;
}

export interface LoadResult {
  readonly measured_s: number;
  readonly scenarios: readonly ScenarioResult[];
  readonly kinds: readonly KindResult[];
  readonly total: LoadFigures;
  /** Images and videos that were made and could not be fetched whole, by cause, the commonest first. */
  readonly failed_downloads: readonly FailedDownloads[];
  readonly objectives: readonly ObjectiveResult[];
}

export interface ScenarioResult extends LoadFigures {
  readonly scenario: string;
  readonly kind: PaidKind;
  readonly model: string;
}

export interface KindResult extends LoadFigures {
  readonly kind: PaidKind;
}

/** A target may give each answer a code of its own: what comes after so many groups is only counted. */
export const MOST_FAILURE_GROUPS = 10;

export interface LoadFigures {
  readonly planned: number;
  readonly started: number;
  readonly dropped: number;
  readonly held: number;
  readonly ok: number;
  /** Of calls that were sent. */
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** The largest groups of calls that failed, at most 10, largest first. */
  readonly failures: readonly FailureGroup[];
  /** Starts per second asked for and got, over the time of starts. */
  readonly asked_rate: number | null;
  readonly achieved_rate: number | null;
  /** Calls per second that succeed and meet every objective. */
  readonly goodput: number | null;
  /** Those calls over calls sent. */
  readonly attainment: number | null;
  readonly latency: LatencyTables;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  /** The calls that goodput counts. */
  readonly good: number;
  readonly retries: RetryFigures;
  /** How the answers came; null where no call streamed to its end. */
  readonly streams: StreamFigures | null;
  /** Where the time of jobs went; null where no call was one that succeeded. */
  readonly stages: StageFigures | null;
  /** What all calls cost over the good ones; null where the bill was not read, a call has no price, or none is good. */
  readonly usd_per_1000_good: string | null;
  /** True where that is an upper bound, because the charge of a call is still open. */
  readonly usd_per_1000_good_at_most: boolean;
  /** Charged for calls that we cut on purpose; null where no bill was read or a charge is not known. */
  readonly aborted_usd: string | null;
}

/** Calls that were sent again, and how often in all. */
export interface RetryFigures {
  readonly calls: number;
  readonly attempts: number;
}

/** Calls that failed in the same way; what we ended ourselves (aborted, interrupted) did not fail. */
export interface FailureGroup {
  readonly outcome: Outcome;
  readonly status: number | null;
  readonly error_code: string | null;
  /** The commonest error message of the group, at most 200 characters. */
  readonly message: string | null;
  readonly count: number;
}

/** Results that could not be downloaded, by what came of their last read; `download_failed`: of it there is no row. */
export interface FailedDownloads {
  readonly outcome: Outcome;
  readonly error_type: ErrorType;
  readonly status: number | null;
  readonly count: number;
}

export interface ObjectiveResult extends Objective {
  /** Null where there was nothing to measure, which misses the objective. */
  readonly actual: number | null;
  /** Of usd_per_1000_good, whose `actual` is always null. */
  readonly actual_usd: string | null;
  /** True where `actual_usd` is an upper bound: above its own bound it decides nothing. */
  readonly actual_at_most: boolean;
  readonly met: boolean;
}

/** Pairs that each pass of matching brought together. */
export interface MatchingRow {
  readonly pass: MatchPass;
  readonly pairs: number;
  readonly charged: string | null;
}

/** Shares of the charged USD, as decimal fractions that sum to 1; null where nothing was charged. */
export interface CoverageResult {
  readonly to_the_digit: number | null;
  readonly within_bounds: number | null;
  readonly not_checkable: number | null;
  readonly provisional: number | null;
  /** Charges above $0 that equal the price list to the digit, of all; null in results of earlier versions. */
  readonly charges: { readonly matched: number; readonly of: number } | null;
  /** How each price was known: published by the target, declared by the user, inferred from records. */
  readonly prices: Readonly<Record<'published' | 'declared' | 'inferred', number>>;
  /** Each point where the interface is silent: the setting used, and why. */
  readonly settings: readonly CoverageSetting[];
  /** Of `to_the_digit`: what the client's own evidence carries, and what only the record's tokens at the book's price. */
  readonly basis: { readonly client: number | null; readonly record: number | null };
  /** The part of `within_bounds` that equals prices or a rounding inferred from the same records: never exact. */
  readonly consistent: number | null;
  readonly not_checkable_why: readonly NotCheckable[];
  /** The part of `not_checkable` that no usage record can decide, whatever is read. */
  readonly untold: number | null;
  /** An audit without a ledger, by what was bought; empty for any other. */
  readonly of_records: readonly RecordCoverage[];
  /** When the last provisional finding becomes final; null where none is provisional. */
  readonly provisional_until: string | null;
  /** Price lines, tier edges, ties, cache kinds, formats and refund paths: how often each was seen. */
  readonly exercised: readonly ExercisedLine[];
  /** Per class: rows on which it could have shown, and what 0 of n means. */
  readonly classes: readonly ClassCoverage[];
}

/** What an audit without a ledger says of a charge that its record does not tell enough of. */
export const WITHOUT_A_LOG = "can't be checked without a log of your calls";

export interface NotCheckable {
  readonly why: string;
  /** Of the charged USD. */
  readonly share: number;
  readonly calls: number;
}

/** USD of one kind of purchase. */
export interface RecordCoverage {
  readonly kind: 'text' | 'image' | 'video';
  readonly charged: string;
  /** To the digit or within bounds. */
  readonly checked: string;
  /** What can't be checked without a log of the calls. */
  readonly untold: string;
}

export const EXERCISED_KINDS = ['price', 'tier_edge', 'tie', 'cache', 'format_outcome', 'refund'] as const;

export interface ExercisedLine {
  readonly kind: (typeof EXERCISED_KINDS)[number];
  readonly line: string;
  readonly model: string | null;
  /** Calls that went over it; 0: never. */
  readonly seen: number;
}

export interface ClassCoverage {
  readonly class: FaultClass;
  /** Rows on which the fault would have shown. */
  readonly checked: number;
  readonly found: number;
  /** Where none was found: the error rate is below this at 95 % (3 over `checked`); null where nothing was checked. */
  readonly below: number | null;
}

export interface CoverageSetting {
  readonly name: string;
  readonly value: string;
  readonly evidence: string;
}

export interface CompletenessResult {
  readonly complete: boolean;
  readonly pages: number;
  readonly records: number;
  readonly totals_records: number | null;
  readonly reads: number;
  readonly last_read_at: string | null;
  readonly open_calls: number;
  readonly reasons: readonly string[];
  /** Two walks over every part of the period served the same, and the totals count it: nothing is missing from it. */
  readonly proved: boolean;
  readonly leaves: readonly CompletenessLeaf[];
  /** The ten hazards of reading usage, and which of them this read met. */
  readonly hazards: readonly HazardSeen[];
}

/** A part of the period whose totals were compared with its records. */
type CompletenessLeaf = Omit<ReadLeaf, 'served' | 'by_page_size' | 'reads'>;

export interface ClientVerdict {
  readonly verdict: 'valid' | 'client_limited';
  readonly reasons: readonly string[];
  readonly schedule_lag_p99_ms: number | null;
  readonly cpu_max: number | null;
  readonly gc_ms: number | null;
  readonly rows_lost: number;
  readonly cores: number;
  /** 95 % of the seconds took no more. */
  readonly cpu_p95: number | null;
  /** Share of the time for which the garbage collector stopped everything. */
  readonly gc_share: number | null;
  /** p99 over the seconds of the largest lateness of a timer in each. */
  readonly timer_lag_p99_ms: number | null;
  /** p99 over the seconds of the p99 of the wait for a processor in each. */
  readonly run_queue_p99_ms: number | null;
  readonly open_files_max: number | null;
  readonly open_files_limit: number | null;
  readonly rss_max_bytes: number | null;
  /** Starts dropped in seconds in which less than half of the allowed calls were under way. */
  readonly dropped_by_client: number;
  /**
   * `http.rps` where it is below the planned peak, both per second: starts wait for it, which the schedule lag holds and
   * the client is not blamed for. Else null.
   */
  readonly rps_limit: { readonly rps: number; readonly planned: number } | null;
}

/** The search for the highest rate at which every objective is met and the client is valid. */
export interface CapacityResult {
  /** The highest factor over the planned rates that held; null where none did. */
  readonly rate_scale: number | null;
  /** Starts per second asked for at that factor. */
  readonly asked_rate: number | null;
  /** Why the search went no further. */
  readonly ended: CapacityEnd;
  readonly steps: readonly CapacityStep[];
}

export type CapacityEnd =
  | 'resolved'
  | 'most_steps'
  | 'client_limited'
  | 'spend_cap'
  | 'not_permitted'
  | 'too_few_calls'
  | 'halted'
  | 'interrupted';

export interface CapacityStep {
  /** Its ledger files and run id end with it. */
  readonly instance: string;
  readonly rate_scale: number;
  readonly asked_rate: number | null;
  readonly achieved_rate: number | null;
  /** Calls that the closed loops keep under way; null where there is none. */
  readonly concurrency: number | null;
  readonly verdict: 'held' | 'missed' | 'client_limited' | 'halted' | 'too_few_calls';
  /** What was missed, what limited the client, or what too few calls could judge; empty where it held. */
  readonly reasons: readonly string[];
  /** Missed for dropped starts alone: max_in_flight, no objective, stood against the rate. */
  readonly only_dropped: boolean;
  readonly goodput: number | null;
  readonly attainment: number | null;
}

export interface ExitReason {
  readonly code: number;
  readonly why: string;
}

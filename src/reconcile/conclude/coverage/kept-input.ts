import type { JudgedCall } from '../../../contracts/reconciliation.ts';
import type { MatchingRow } from '../../../contracts/result.ts';
import type { JudgeContext } from '../../expect/judge-context.ts';
import type { MatchedRecords } from '../../match/match-records.ts';
import type { ComparedTotals } from '../../records/totals-disagreements.ts';

/** What the table of a gateway's books is made of. */
export interface KeptInput {
  readonly context: JudgeContext;
  readonly matched: MatchedRecords;
  readonly totals: ComparedTotals;
  readonly calls: readonly JudgedCall[];
  readonly matching: readonly MatchingRow[];
}

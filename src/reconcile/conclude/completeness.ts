import type { CompletenessResult } from '../../contracts/coverage-result.ts';
import { ARCHIVED_READS, type ReadLine } from '../../contracts/usage-lines.ts';
import { isWhole } from '../../ledger/ledger-problem.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { ReconcileInput } from '../input/reconcile-input.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ComparedTotals } from '../records/totals-disagreements.ts';

/** What was read, and whether it is proved to be all. */
export function completenessOf(
  input: ReconcileInput,
  { sweep }: JudgeContext,
  { totals }: ComparedTotals,
  calls: readonly PaidCall[],
): CompletenessResult {
  const ofJudged = input.reads.filter((read) => read.sweep === sweep.sweep);
  const reasons = ofJudged.flatMap((read) => (read.read === 'sweep_end' ? read.reasons : []));
  const problems = input.ledger.problems.map(({ line, what }) => `ledger line ${line}: ${what}`);
  const records = totals?.total.records ?? null;
  return {
    complete: sweep.complete !== null && isWhole(input.ledger),
    pages: ofJudged.filter(({ read, purpose }) => read === 'records' && (purpose ?? 'sweep') === 'sweep')
      .length,
    records: sweep.accepted.reduce((sum, part) => sum + part.records, sweep.swept.length),
    totals_records: records === null ? null : Number(records),
    reads: input.reads.filter(({ read }) => !NO_READ.has(read)).length,
    last_read_at: sweep.last_read_at,
    open_calls: calls.filter(({ row }) => row === null).length,
    reasons: [...new Set([...reasons, ...problems])].sort(),
    proved: sweep.proof.proved,
    leaves: sweep.proof.leaves.map(({ start, end, model, figure, totals: told, records: own, stable }) => ({
      start,
      end,
      model,
      figure,
      totals: told,
      records: own,
      stable,
    })),
    hazards: sweep.proof.hazards,
  };
}

const NO_READ: ReadonlySet<ReadLine['read']> = new Set(['sweep_end', ...ARCHIVED_READS]);

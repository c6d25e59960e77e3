import type { Reconciliation } from '../contracts/reconciliation.ts';
import { conclude } from './conclude/conclude.ts';
import { expectCharges } from './expect/expect-charges.ts';
import { explainJudgements } from './explain/explain-judgements.ts';
import type { ReconcileInput } from './input/reconcile-input.ts';
import { judgeRows } from './judge/judge-rows.ts';
import { matchRecords } from './match/match-records.ts';
import { NO_OWN_COUNTS } from './tokens/token-count-learn.ts';

/**
 * Compares every paid call with its usage record and the price book. Pure: the same input gives the same result in
 * whatever order its lines come, and ages count from the last read in it.
 */
export function reconcile(input: ReconcileInput): Reconciliation {
  const matched = matchRecords(input);
  const context = expectCharges(matched);
  const { judgements, matches } = judgeRows(context, matched);
  const explained = explainJudgements(context, judgements, input.own_counts ?? NO_OWN_COUNTS);
  return conclude(context, matched, matches, explained);
}

import type { JudgedCall, Reconciliation } from '../../contracts/reconciliation.ts';

/** Call ids of the trial begin with the name of its ledger instance. */
const TRIAL_CALL = /^trial\//;

/** The calls that were made, one a kind, before the load: in the ledger and the bill, but not in the load's figures. */
export function trialCalls({ calls }: Pick<Reconciliation, 'calls'>): readonly JudgedCall[] {
  return calls.filter(({ call_id }) => call_id !== null && TRIAL_CALL.test(call_id));
}

/** Usage records of the trial calls. */
export function trialRecords(reconciliation: Pick<Reconciliation, 'calls'>): number {
  return new Set(trialCalls(reconciliation).flatMap(({ record_ids }) => record_ids)).size;
}

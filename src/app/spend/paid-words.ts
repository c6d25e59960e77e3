import { formatAmount } from '../../core/amount.ts';
import type { Plan } from '../../core/plan.ts';
import { loadLedger } from '../../ledger/load-ledger.ts';
import { plural } from '../../text/plural.ts';
import { countedIn } from './run-budget.ts';

/** What a run that did not come to its end has sent, and paid for it at most; once its reservation is settled. */
export async function paidWords(
  runDir: string,
  { run_id, cap }: Pick<Plan, 'run_id' | 'cap'>,
): Promise<string> {
  const { intents, rows } = await loadLedger(runDir);
  const unsent = new Set(rows.flatMap(({ outcome, call_id }) => (outcome === 'not_sent' ? [call_id] : [])));
  const sent = intents.filter(({ call_id }) => !unsent.has(call_id)).length;
  const counted = countedIn(runDir);
  const most = counted === null ? `the whole cap of $${cap.max_spend_usd}` : `$${formatAmount(counted)}`;
  const what =
    sent === 0
      ? 'no call was sent'
      : `${plural(sent, 'call was', 'calls were')} sent, which cost at most ${most}`;
  return `paid: ${what}; run ${run_id} in ${runDir}`;
}

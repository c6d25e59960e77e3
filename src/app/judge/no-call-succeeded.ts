import { EXIT } from '../../contracts/exit-code.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { TRIAL_INSTANCE } from '../../contracts/ledger-lines.ts';
import type { ExitReason } from '../../contracts/result.ts';
import { failureGroups } from '../../measure/failure-groups.ts';
import { type LogicalCall, logicalCalls } from '../../measure/logical-call.ts';
import { failedWords } from '../../report/words/failure-words.ts';

/** With these the target turns the key away, whatever is asked (interface §7). */
const TURNED_AWAY: readonly (number | null)[] = [401, 402, 403];

/**
 * Why a run is no success at all: no call of its load succeeded, nor one of its trial where no load was put. Null where
 * one did, or none was sent. Calls that we ended ourselves say nothing.
 */
export function noCallSucceeded(rows: readonly CallRow[]): ExitReason | null {
  const sent = logicalCalls(rows).filter(({ judged }) => judged);
  const load = sent.filter(({ last }) => last.instance !== TRIAL_INSTANCE);
  const calls = load.length > 0 ? load : sent;
  const [most] = failureGroups(calls);
  if (most === undefined || calls.some(({ last }) => last.outcome === 'ok')) return null;
  const unreached = sent.every(({ last }) => last.status === null || TURNED_AWAY.includes(last.status));
  return {
    code: unreached ? EXIT.target : EXIT.objectives,
    why: `${unreached ? unreachedWords(sent) : 'no call succeeded (no_call_succeeded)'}: ${most.count} of ${calls.length} ended ${failedWords(most)}`,
  };
}

function unreachedWords(calls: readonly LogicalCall[]): string {
  return calls.every(({ last }) => last.status === null)
    ? 'the target answered no call'
    : 'the target refused every call that it answered';
}

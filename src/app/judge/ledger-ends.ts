import { EXIT } from '../../contracts/exit-code.ts';
import { type CallRow, TRIAL_INSTANCE } from '../../contracts/ledger-lines.ts';
import type { ExitReason } from '../../contracts/result.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import { failureGroups } from '../../measure/failure-groups.ts';
import { type LogicalCall, logicalCalls } from '../../measure/logical-call.ts';
import { failedWords } from '../../report/words/failure-words.ts';
import type { CappedPart, Judged } from './judge-exit.ts';

/** Error codes with which the load engine marks calls that a cap kept back (xk6/call/settle.go). */
const SCOPE_OF: Readonly<Record<string, CappedPart['scope']>> = {
  spend_cap: 'run',
  spend_cap_by_kind: 'kind',
  spend_cap_by_scenario: 'scenario',
  spend_cap_by_model: 'model',
};

const NAME_OF: Readonly<Record<CappedPart['scope'], (row: CallRow) => string>> = {
  run: () => '',
  kind: ({ kind, model }) => `${kind} calls of model ${model ?? ''}`,
  scenario: ({ scenario }) => `scenario ${scenario}`,
  model: ({ model }) => `model ${model ?? ''}`,
};

/** How the load engine ended, by what it wrote itself. */
export function ledgerEnds(ledger: LoadedLedger): Pick<Judged, 'halted' | 'capped' | 'unclosed' | 'gaps'> {
  const final = ledger.states.filter((state) => state.final);
  return {
    halted: final.flatMap((state) => state.halted ?? []),
    capped: cappedParts(ledger),
    unclosed: unclosed(ledger, final),
    gaps: [...new Set(ledger.problems.filter(({ gap }) => gap).map(({ what }) => what))].sort(),
  };
}

function cappedParts({ rows }: LoadedLedger): readonly CappedPart[] {
  const parts = new Map<string, CappedPart>();
  for (const row of rows) {
    const scope = row.outcome === 'not_sent' ? SCOPE_OF[row.error_code ?? ''] : undefined;
    if (scope === undefined) continue;
    const name = NAME_OF[scope](row);
    const key = `${scope} ${name}`;
    const { calls, why } = parts.get(key) ?? { calls: 0, why: row.error_message };
    parts.set(key, { scope, name, calls: calls + 1, why });
  }
  return [...parts].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, part]) => part);
}

/** Each file begins with a header and, closed in order, ends with a final state. */
function unclosed({ headers }: LoadedLedger, final: LoadedLedger['states']): readonly string[] {
  const open = new Map<string, number>();
  const count = (instance: string, by: number): void => {
    open.set(instance, (open.get(instance) ?? 0) + by);
  };
  for (const { instance } of headers) count(instance, 1);
  for (const { instance } of final) count(instance, -1);
  return [...open].flatMap(([instance, files]) => (files > 0 ? [instance] : [])).sort();
}

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

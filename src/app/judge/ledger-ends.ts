import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import type { CappedPart, Judged } from './judge-exit.ts';

/** Error codes with which the load engine marks calls that the cap of a part kept back (xk6/call/settle.go). */
const SCOPE_OF: Readonly<Record<string, CappedPart['scope']>> = {
  spend_cap_by_scenario: 'scenario',
  spend_cap_by_model: 'model',
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
    const name = scope === 'scenario' ? row.scenario : (row.model ?? '');
    const key = `${scope} ${name}`;
    parts.set(key, { scope, name, calls: (parts.get(key)?.calls ?? 0) + 1 });
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

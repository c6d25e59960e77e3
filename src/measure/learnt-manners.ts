import type { StateLine } from '../contracts/ledger-lines.ts';
import type { ScenarioResult } from '../contracts/load-result.ts';

/** Gathers what any instance learnt of the scenario's target. */
export function learntBy(name: string, last: readonly StateLine[]): Pick<ScenarioResult, 'learnt'> {
  const learnt = last.flatMap(({ scenarios }) =>
    scenarios.flatMap((state) => (state.scenario === name ? state.learnt : [])),
  );
  return learnt.length === 0 ? {} : { learnt: [...new Set(learnt)].sort() };
}

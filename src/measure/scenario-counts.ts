import type { ScenarioState, StateLine } from '../contracts/ledger-lines.ts';

/** Starts of one scenario over all instances. */
export type ScenarioCounts = ScenarioState['measured'];

/** The last state line of each instance: its counters are of the whole process. */
export function lastStates(states: Iterable<StateLine>): readonly StateLine[] {
  const last = new Map<string, StateLine>();
  for (const state of states) {
    const known = last.get(state.instance);
    if (known === undefined || state.elapsed_ms >= known.elapsed_ms) last.set(state.instance, state);
  }
  return [...last.values()];
}

/** Sums of a scenario's counters, of the measured phase or of the whole run; null where no instance reports it. */
export function scenarioCounts(
  scenario: string,
  last: readonly StateLine[],
  phase: 'measured' | 'all',
): ScenarioCounts | null {
  const found: readonly ScenarioState[] = last.flatMap((line) =>
    line.scenarios.filter((state) => state.scenario === scenario),
  );
  if (found.length === 0) return null;
  return found
    .map((state) => (phase === 'measured' ? state.measured : state))
    .reduce(addCounts, { planned: 0, started: 0, dropped: 0, held: 0 });
}

export function addCounts(left: ScenarioCounts, right: ScenarioCounts): ScenarioCounts {
  return {
    planned: left.planned + right.planned,
    started: left.started + right.started,
    dropped: left.dropped + right.dropped,
    held: left.held + right.held,
  };
}

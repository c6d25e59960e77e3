import type { Mutant } from './mutant.ts';

/** A mutant with the seconds that its named test held a lane. */
export interface Timed {
  readonly mutant: Mutant;
  readonly seconds: number;
}

const SHOWN = 20;

/** What each runner took of the lanes, and the mutants that took most of it, the longest first. */
export function timeSpent(timed: readonly Timed[]): string[] {
  const totals = [...Map.groupBy(timed, ({ mutant }) => mutant.runner)].map(([runner, held]) => {
    const seconds = held.reduce((sum, each) => sum + each.seconds, 0);
    return `${runner} ${seconds.toFixed(1)} s for ${held.length}`;
  });
  const slowest = timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
  return [
    ...(totals.length > 0 ? [`lane seconds: ${totals.sort().join(', ')}; the longest:`] : []),
    ...slowest.map(
      ({ mutant, seconds }) =>
        `${seconds.toFixed(1).padStart(7)} s  ${mutant.name} ${mutant.runner} ${mutant.args.join(' ')}`,
    ),
  ];
}

import type { RequirementId } from '../requirements.ts';
import type { RequirementCase } from './requirement-case.ts';
import type { RedCase } from './run-cases.ts';

/** How the red cases of a run with one requirement switched off differ from those that cite it. */
export interface BreakOutcome {
  /** Names of cases that cite it and stayed green. */
  readonly green: readonly string[];
  /** Red cases that do not cite it. */
  readonly foreign: readonly RedCase[];
}

export function breakOutcome(
  id: RequirementId,
  cases: readonly RequirementCase[],
  red: readonly RedCase[],
): BreakOutcome {
  const citing = cases
    .filter(({ requires }) => requires.some((cited) => cited === id))
    .map(({ name }) => name);
  const redNames = new Set(red.map(({ name }) => name));
  return {
    green: citing.filter((name) => !redNames.has(name)),
    foreign: red.filter(({ name }) => !citing.includes(name)),
  };
}

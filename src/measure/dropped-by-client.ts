import type { ScenarioState, StateLine } from '../contracts/ledger-lines.ts';
import type { Plan, ScenarioPlan } from '../contracts/plan.ts';

/**
 * Starts dropped in seconds at whose both ends each limit that stood over them was less than half used: no limit of the
 * plan can have dropped them. A limit is used by all scenarios that share it. A session holds its place while it thinks,
 * and a caller that waits for a retry holds it, too, so nothing is judged that shares a limit with either.
 */
export function droppedByClient(plan: Plan, states: readonly StateLine[]): number {
  if (plan.workload.retry.max_attempts > 1) return 0;
  const byInstance = [...Map.groupBy(states, ({ instance }) => instance).values()];
  const judged = plan.workload.scenarios.map((scenario) => ({
    name: scenario.name,
    limits: limitsOver(plan, scenario, byInstance.length),
  }));
  return byInstance.reduce(
    (total, lines) =>
      total + judged.reduce((sum, { name, limits }) => sum + droppedOf(name, limits, lines), 0),
    0,
  );
}

interface SharedLimit {
  /** Calls under way at once that an instance has for itself. */
  readonly most: number;
  /** Scenarios that use it together. */
  readonly scenarios: ReadonlySet<string>;
  /** False where a place can be held by what is not in flight. */
  readonly counted: boolean;
}

/** The limits that can drop a start of a scenario. */
function limitsOver(
  { limits, workload }: Plan,
  { name, model, max_in_flight }: ScenarioPlan,
  instances: number,
): readonly SharedLimit[] {
  const limitOf = (most: number, shares: (other: ScenarioPlan) => boolean): SharedLimit => {
    const sharing = workload.scenarios.filter(shares);
    return {
      // Shares of an instance are whole, rounded either way.
      most: Math.floor(most / instances),
      scenarios: new Set(sharing.map((scenario) => scenario.name)),
      counted: sharing.every(({ text }) => text?.session == null),
    };
  };
  const byModel = limits.max_in_flight_by_model[model];
  return [
    limitOf(max_in_flight, (other) => other.name === name),
    ...(limits.max_in_flight === null ? [] : [limitOf(limits.max_in_flight, () => true)]),
    ...(byModel === undefined ? [] : [limitOf(byModel, (other) => other.model === model)]),
  ];
}

function droppedOf(name: string, limits: readonly SharedLimit[], lines: readonly StateLine[]): number {
  let before: StateLine | undefined;
  let count = 0;
  for (const line of lines.toSorted((left, right) => left.elapsed_ms - right.elapsed_ms)) {
    const ends = before === undefined ? [] : [before, line];
    if (ends.length > 0 && limits.every((limit) => ends.every((end) => isHalfFree(limit, end)))) {
      count += droppedIn(name, line) - droppedIn(name, before);
    }
    before = line;
  }
  return count;
}

function isHalfFree({ most, scenarios, counted }: SharedLimit, line: StateLine): boolean {
  const used = line.scenarios.reduce(
    (sum, state) => sum + (scenarios.has(state.scenario) ? state.in_flight : 0),
    0,
  );
  return counted && used < most / 2;
}

function droppedIn(name: string, line: StateLine | undefined): number {
  const state: ScenarioState | undefined = line?.scenarios.find(({ scenario }) => scenario === name);
  return state?.dropped ?? 0;
}

import type { ScenarioState, StateLine } from '../core/ledger-lines.ts';
import type { Plan, ScenarioPlan } from '../core/plan.ts';

/**
 * Starts dropped in seconds at whose both ends less than half of the calls were under way that every limit allows: no
 * limit of the plan can have dropped them. A session holds its place while it thinks, and a caller that waits for a retry
 * holds it, too, so scenarios with either are not judged.
 */
export function droppedByClient(plan: Plan, states: readonly StateLine[]): number {
  const judged = plan.workload.scenarios.filter(
    ({ text }) => text?.session == null && plan.workload.retry.max_attempts <= 1,
  );
  const byInstance = [...Map.groupBy(states, ({ instance }) => instance).values()];
  return byInstance.reduce(
    (total, lines) =>
      total +
      judged.reduce(
        (sum, scenario) => sum + droppedOf(scenario, allowed(plan, scenario, byInstance.length), lines),
        0,
      ),
    0,
  );
}

/** The smallest share of a limit that an instance has for itself. */
function allowed({ limits }: Plan, { max_in_flight, model }: ScenarioPlan, instances: number): number {
  const most = [max_in_flight, limits.max_in_flight, limits.max_in_flight_by_model[model] ?? null];
  return Math.min(...most.filter((limit) => limit !== null)) / instances;
}

function droppedOf(scenario: ScenarioPlan, limit: number, lines: readonly StateLine[]): number {
  let before: ScenarioState | undefined;
  let count = 0;
  for (const line of lines.toSorted((left, right) => left.elapsed_ms - right.elapsed_ms)) {
    const now = line.scenarios.find((state) => state.scenario === scenario.name);
    if (now !== undefined && before !== undefined && Math.max(before.in_flight, now.in_flight) < limit / 2) {
      count += now.dropped - before.dropped;
    }
    before = now ?? before;
  }
  return count;
}

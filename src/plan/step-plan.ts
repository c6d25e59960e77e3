import type { Arrival, Plan, ScenarioPlan, Workload } from '../contracts/plan.ts';
import { planHash } from './plan-hash.ts';

/** The plan with every rate times `scale`, under a run id and markers of its own: one step of a search for the capacity. */
export function stepPlan(plan: Plan, step: { readonly instance: string; readonly scale: number }): Plan {
  const workload: Workload = {
    ...plan.workload,
    scenarios: plan.workload.scenarios.map((scenario) => scaledScenario(scenario, step.scale)),
  };
  return { ...plan, run_id: `${plan.run_id}-${step.instance}`, plan_hash: planHash(workload), workload };
}

/** A closed loop needs room for what it keeps under way; where starts have times, the room is part of what is searched. */
function scaledScenario(scenario: ScenarioPlan, scale: number): ScenarioPlan {
  const arrival = scaled(scenario.arrival, scale);
  if (arrival.concurrency === null) return { ...scenario, arrival };
  const room = Math.max(arrival.concurrency, Math.round(scenario.max_in_flight * scale));
  return { ...scenario, arrival, max_in_flight: room };
}

/** Rates to the nearest start in 1,000 s, and at least that one where there was any; calls under way to the nearest. */
function scaled(arrival: Arrival, scale: number): Arrival {
  const rate = (millirate: number) => (millirate === 0 ? 0 : Math.max(1, Math.round(millirate * scale)));
  const { stages, concurrency, max_calls } = arrival;
  return {
    ...arrival,
    stages: stages.map((stage) => ({
      ...stage,
      from_millirate: rate(stage.from_millirate),
      to_millirate: rate(stage.to_millirate),
    })),
    concurrency: concurrency === null ? null : Math.max(1, Math.round(concurrency * scale)),
    max_calls: max_calls === null ? null : Math.ceil(max_calls * scale),
  };
}

import type { Plan, Workload } from '../core/plan.ts';
import { planHash } from './plan-hash.ts';

/** One call of each scenario, before many are sent: the same calls as call 0 of the plan, under a run id of its own. */
export function trialPlan(plan: Plan): Plan {
  const workload: Workload = {
    ...plan.workload,
    duration_ms: 1_000,
    scenarios: plan.workload.scenarios.map((scenario) => ({
      ...scenario,
      arrival: {
        stages: [{ duration_ms: 1_000, from_millirate: 1_000, to_millirate: 1_000 }],
        max_calls: 1,
        process: 'even',
        burstiness: 1,
        concurrency: null,
        trace: null,
      },
      abort: null,
    })),
    objectives: [],
  };
  return { ...plan, run_id: `${plan.run_id}-trial`, plan_hash: planHash(workload), workload };
}

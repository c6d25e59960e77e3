import type { Plan, Workload } from '../contracts/plan.ts';
import { planHash } from './plan-hash.ts';

/** So little that a model which obeys a limit is cut by it; the least that every text format takes. */
export const TRIAL_MAX_TOKENS = 16;

/**
 * One call of each scenario, before many are sent: call 0 of the plan with a small output limit, which shows whether
 * limits bind, under a run id of its own. A conversation ends after its first turn.
 */
export function trialPlan(plan: Plan): Plan {
  const workload: Workload = {
    ...plan.workload,
    duration_ms: 1_000,
    warm_up_ms: 0,
    cool_down_ms: 0,
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
      text: scenario.text === null ? null : { ...scenario.text, max_tokens: TRIAL_MAX_TOKENS, session: null },
    })),
    objectives: [],
  };
  return { ...plan, run_id: `${plan.run_id}-trial`, plan_hash: planHash(workload), workload };
}

import { join } from 'node:path';
import { TRIAL_INSTANCE } from '../../contracts/ledger-lines.ts';
import type { Plan, Workload } from '../../contracts/plan.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { loadLedger } from '../../ledger/load-ledger.ts';
import { planHash } from '../../plan/plan-hash.ts';
import type { ResolvedPlan } from '../../plan/resolve-plan.ts';
import { runLoad } from '../load/run-load.ts';
import { afterTrial, failedLines, judgeTrial, trialLines } from '../spend/trial.ts';
import { judgeLimits } from '../spend/trial-limits.ts';
import type { AuditStage } from './audit-stage.ts';
import { settleRun } from './settle-run.ts';

interface TrialledPlan {
  readonly plan: Plan;
  /** True where the trial met a reason to stop the whole run. */
  readonly stopped: boolean;
}

/** One call a kind on a gateway that is not ours, before many: what cannot be linked or priced is not worth its money. */
export async function runTrial(
  stage: AuditStage,
  { plan, forecast }: Pick<ResolvedPlan, 'plan' | 'forecast'>,
): Promise<TrialledPlan> {
  const needless = plan.target.embedded || stage.mode === 'run' || plan.workload.scenarios.length === 0;
  if (needless) return { plan, stopped: false };
  const { notices, runDir } = stage;
  const count = plan.workload.scenarios.length;
  notices.err(count === 1 ? 'trial: one call' : `trial: one call of each of ${count} kinds`);
  const { halted } = await runLoad({
    ...stage,
    plan: trialPlan(plan),
    planFile: 'trial-plan.json',
    instance: TRIAL_INSTANCE,
    credentials: stage.weighed.credentials,
  });
  const ledger = await loadLedger(runDir);
  const rows = ledger.rows.filter((row) => row.instance === TRIAL_INSTANCE);
  // Said before the wait for records, which calls that were refused hardly have.
  for (const line of failedLines(rows)) notices.err(line);
  // The reconciler reads prices and bounds from the run's plan.
  replaceFile(join(runDir, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`);
  const reconciliation = await settleRun(stage);
  const verdict = judgeTrial(plan, reconciliation, halted, forecast.scenarios);
  const states = ledger.states.filter((state) => state.instance === TRIAL_INSTANCE);
  for (const line of trialLines(plan, verdict, judgeLimits(plan, rows))) notices.err(line);
  const trial = { rows, reservedUsd: states.at(-1)?.reserved_usd ?? null };
  const next = afterTrial(plan, verdict, trial, ({ workload }) => planHash(workload));
  return { plan: next, stopped: halted !== null && halted !== 'spend_cap' };
}

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

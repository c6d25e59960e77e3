import { LEDGER_CLAIM, type LoadRun, runName } from './load-run.ts';
import { type Mounted, mountedClaim, mountedConfig, REPORTS } from './mounted.ts';

const PLAN_FOLDER = '/etc/weighbridge/run';

/** Where ledgers, plan and report of a run stand on the volume. */
export function runFolder(runId: string): string {
  return `${REPORTS}/${runId}`;
}

/** Where pods find plan.json before the audit has made the run's folder whole. */
export function planFolder({ runId, onVolume }: LoadRun): string {
  return onVolume ? runFolder(runId) : PLAN_FOLDER;
}

/** The plan alone: the volume only where it stands there. */
export function mountedPlan({ runId, onVolume }: LoadRun): Mounted {
  return onVolume ? mountedClaim(LEDGER_CLAIM) : mountedConfig(`${runName(runId)}-plan`, PLAN_FOLDER);
}

/** The volume, and the plan where it stands elsewhere. */
export function mountedRun(run: LoadRun): readonly Mounted[] {
  return [mountedClaim(LEDGER_CLAIM), ...(run.onVolume ? [] : [mountedPlan(run)])];
}

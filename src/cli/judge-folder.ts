import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan } from '../core/plan.ts';
import type { Reconciliation } from '../core/reconciliation.ts';
import type { ExitReason, Result } from '../core/result.ts';
import { type LoadedLedger, loadLedger } from '../ledger/load-ledger.ts';
import { type Measurement, measure } from '../measure/measure.ts';
import { loadReconcileInput } from '../reconcile/load-reconcile-input.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { Tolerances } from '../reconcile/reconcile-input.ts';
import { buildResult } from '../report/build-result.ts';
import { type ReportPaths, writeReport } from '../report/write-report.ts';
import { judgeExit } from './judge-exit.ts';
import { readPlan, readTolerances } from './run-folder.ts';
import { VERSION } from './version.ts';

/** Everything that a run folder holds, judged anew: the same folder gives the same verdict and the same bytes. */
export interface JudgedFolder {
  readonly plan: Plan;
  readonly ledger: LoadedLedger;
  readonly measurement: Measurement | null;
  readonly reconciliation: Reconciliation | null;
  readonly exits: readonly ExitReason[];
}

export async function judgeFolder(runDir: string): Promise<JudgedFolder> {
  const plan = readPlan(runDir);
  const ledger = await loadLedger(runDir);
  const tolerances = readTolerances(runDir);
  const measurement =
    plan.workload.scenarios.length === 0
      ? null
      : measure({ plan, rows: ledger.rows, states: ledger.states, window: null, cores: coresOf(ledger) });
  const reconciliation = wasSwept(runDir) ? await reconcileFolder(runDir, tolerances) : null;
  const exits = judgeExit({
    load: measurement?.load ?? null,
    client: measurement?.client ?? null,
    reconciliation,
    halted: ledger.states.filter((state) => state.final).flatMap((state) => state.halted ?? []),
    stopped: plan.stopped,
    driven: plan.workload.scenarios.length,
  });
  return { plan, ledger, measurement, reconciliation, exits };
}

/** True once usage records were read: a run that only drives has no bill to judge. */
export function wasSwept(runDir: string): boolean {
  const pages = join(runDir, 'usage/pages.ndjson');
  return existsSync(pages) && readFileSync(pages, 'utf8').includes('"read":"sweep_end"');
}

export async function reconcileFolder(runDir: string, tolerances: Tolerances): Promise<Reconciliation> {
  return reconcile(await loadReconcileInput(runDir, { tolerances }));
}

export interface FolderReport {
  readonly result: Result;
  readonly paths: ReportPaths;
}

/** Renders the judged folder into its report files. */
export function writeFolderReport(runDir: string, judged: JudgedFolder): FolderReport {
  const { plan, measurement, reconciliation, exits } = judged;
  const result = buildResult({
    plan,
    measurement,
    reconciliation,
    stopped: plan.stopped,
    tool: { weighbridge: VERSION, k6: judged.ledger.headers[0]?.versions.k6 ?? null },
    exits,
  });
  return { result, paths: writeReport(runDir, { result, plan, measurement, reconciliation }) };
}

/** Cores of the machine that made the load, from the ledger; one where it does not say. */
function coresOf(ledger: LoadedLedger): number {
  return ledger.headers[0]?.cores ?? 1;
}

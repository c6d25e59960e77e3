import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditPeriod } from '../core/audit-period.ts';
import type { Plan } from '../core/plan.ts';
import type { Reconciliation } from '../core/reconciliation.ts';
import type { CapacityResult, ExitReason, Result } from '../core/result.ts';
import { abortMessage } from '../drive/abort-message.ts';
import { type LoadedLedger, loadLedger, NO_LEDGER } from '../ledger/load-ledger.ts';
import { callCosts } from '../measure/call-costs.ts';
import { type Measurement, measure } from '../measure/measure.ts';
import { loadReconcileInput } from '../reconcile/load-reconcile-input.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { Tolerances } from '../reconcile/reconcile-input.ts';
import { buildResult } from '../report/build-result.ts';
import type { RunPlace } from '../report/repeat-section.ts';
import { type ReportPaths, writeReport } from '../report/write-report.ts';
import { readCapacity, reportedStep, stepPlanFile, unjudgedSteps } from './capacity-file.ts';
import { readCommand } from './command-file.ts';
import { judgeExit } from './judge-exit.ts';
import { ledgerEnds } from './ledger-ends.ts';
import { readPeriod } from './period-folder.ts';
import { readBilling, readPlan, readTolerances } from './run-folder.ts';
import { VERSION } from './version.ts';

/** Everything that a run folder holds, judged anew: the same folder gives the same verdict and the same bytes. */
export interface JudgedFolder {
  /** Null for an audit of a past period, which `period` then tells of. */
  readonly plan: Plan | null;
  readonly period: AuditPeriod | null;
  readonly ledger: LoadedLedger;
  readonly measurement: Measurement | null;
  readonly reconciliation: Reconciliation | null;
  /** The search of a run that looked for its target's capacity. */
  readonly capacity: CapacityResult | null;
  readonly exits: readonly ExitReason[];
}

/** `failure`: why the load engine broke off, where that was seen. */
export async function judgeFolder(runDir: string, failure: ExitReason | null = null): Promise<JudgedFolder> {
  const period = readPeriod(runDir);
  if (period !== null) return judgePeriod(runDir, period);
  const plan = readPlan(runDir);
  const ledger = await loadLedger(runDir);
  const tolerances = readTolerances(runDir);
  const reconciliation = wasSwept(runDir) ? await reconcileFolder(runDir, tolerances) : null;
  const capacity = readCapacity(runDir);
  const step = capacity === null ? null : reportedStep(capacity);
  const measurement =
    plan.workload.scenarios.length === 0
      ? null
      : measure({
          plan: step === null ? plan : readPlan(runDir, stepPlanFile(step)),
          rows: ledger.rows,
          states: ledger.states,
          window: null,
          cores: coresOf(ledger),
          costs: reconciliation === null ? null : callCosts(reconciliation),
        });
  const ends = ledgerEnds(ledger);
  const exits = judgeExit({
    load: measurement?.load ?? null,
    client: measurement?.client ?? null,
    reconciliation,
    ...ends,
    unjudged: capacity === null ? [] : unjudgedSteps(capacity),
    failure,
    abortMessage: ends.halted.includes('script_aborted') ? await abortMessage(runDir) : null,
    stopped: plan.stopped,
    driven: plan.workload.scenarios.length,
  });
  return { plan, period, ledger, measurement, reconciliation, capacity, exits };
}

/** Without a ledger there are no calls to measure: the bill is judged by its own records. */
async function judgePeriod(runDir: string, period: AuditPeriod): Promise<JudgedFolder> {
  const reconciliation = await reconcileFolder(runDir, readTolerances(runDir));
  const exits = judgeExit({
    ...NOTHING_DRIVEN,
    reconciliation,
  });
  return {
    plan: null,
    period,
    ledger: NO_LEDGER,
    measurement: null,
    reconciliation,
    capacity: null,
    exits,
  };
}

const NOTHING_DRIVEN = {
  load: null,
  client: null,
  halted: [],
  capped: [],
  gaps: [],
  unclosed: [],
  unjudged: [],
  failure: null,
  abortMessage: null,
  stopped: [],
  driven: null,
} as const;

/** True once usage records were read: a run that only drives has no bill to judge. */
export function wasSwept(runDir: string): boolean {
  const pages = join(runDir, 'usage/pages.ndjson');
  return existsSync(pages) && readFileSync(pages, 'utf8').includes('"read":"sweep_end"');
}

export async function reconcileFolder(runDir: string, tolerances: Tolerances): Promise<Reconciliation> {
  const { terms, book } = readBilling(runDir);
  const basis = readPeriod(runDir) === null ? 'ledger' : 'records';
  return reconcile(await loadReconcileInput(runDir, { tolerances, terms, adapter: book.adapter, basis }));
}

export interface FolderReport {
  readonly result: Result;
  readonly paths: ReportPaths;
}

/** Renders the judged folder into its report files; `place` as `placeOf` gives it. */
export function writeFolderReport(runDir: string, judged: JudgedFolder, place?: RunPlace): FolderReport {
  const { plan, period, measurement, reconciliation, capacity, exits } = judged;
  const result = buildResult({
    plan,
    period,
    measurement,
    reconciliation,
    capacity,
    stopped: plan?.stopped ?? [],
    tool: { weighbridge: VERSION, k6: judged.ledger.headers[0]?.versions.k6 ?? null },
    exits,
  });
  return {
    result,
    paths: writeReport(runDir, {
      result,
      plan,
      period,
      measurement,
      reconciliation,
      place,
      command: readCommand(runDir),
    }),
  };
}

/** Cores of the machine that made the load, from the ledger; one where it does not say. */
function coresOf(ledger: LoadedLedger): number {
  return ledger.headers[0]?.cores ?? 1;
}

import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { budgetLimits } from '../../config/budget-schema.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Plan } from '../../contracts/plan.ts';
import { formatInstant } from '../../core/time.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { checkPermission } from '../../plan/load-permission.ts';
import { type ResolvedPlan, spendLimit } from '../../plan/resolve-plan.ts';
import { newRunId } from '../../plan/run-id.ts';
import type { BookArchive } from '../../pricebook/archive/archive-index.ts';
import type { RanCommand } from '../../report/sections/repeat-section.ts';
import type { FileLock } from '../../state/file-lock.ts';
import { findCapacity, refuseWithoutObjectives } from '../capacity/find-capacity.ts';
import { refuseSearch } from '../capacity/step-calls.ts';
import { carryOn, carryOver, type SuspenseHome } from '../carry-over/keep-suspense.ts';
import { type NotedRun, noteEnd, noteSending } from '../carry-over/note-run.ts';
import { holdBaseline } from '../compare/hold-baseline.ts';
import { pollDuringLoad, readsAccount } from '../evidence/poll-during-load.ts';
import { storeAssumed } from '../folder/assumed-file.ts';
import { holdFolder } from '../folder/locks.ts';
import { writeCommand } from '../folder/run-files.ts';
import { makeRunFolder, storeReplay } from '../folder/run-folder.ts';
import { noteScheduledRun, unnotedWords } from '../history/note-scheduled-run.ts';
import { writeListedReport } from '../history/runs-index.ts';
import { type JudgeOptions, judgeFolder } from '../judge/judge-folder.ts';
import { LiveRun } from '../live/live-run.ts';
import { type LivePage, openLivePage } from '../live/page/live-page.ts';
import { type KeptCredit, keepCredit, needAccount } from '../load/keep-credit.ts';
import { loadOutputs } from '../load/load-outputs.ts';
import { readyEngine } from '../load/ready-engine.ts';
import { runLoad } from '../load/run-load.ts';
import { paidWords, type RunBudget, reserveRun, settleReservation } from '../spend/run-budget.ts';
import { type LoadOffer, planOffered, readLoadOffer } from '../target/load-offer.ts';
import { holdDialect } from '../target/noted-dialect.ts';
import { holdTarget, openArchive, stateHome } from '../target/state-home.ts';
import { openTarget } from '../target/weighed-target.ts';
import type { AuditOptions, AuditStage } from './audit-stage.ts';
import { runTrial } from './run-trial.ts';
import { settleRun } from './settle-run.ts';

/** A record's time is the gateway's: its clock may be this far behind ours. */
const CLOCK_MARGIN_S = 2;

/** The main job: plan, trial, load, settlement, judgement, report. Returns the exit status. */
export async function auditRun(options: AuditOptions): Promise<number> {
  const { config, notices } = options;
  if (options.capacity !== null) refuseWithoutObjectives(config.objectives);
  const outputs = loadOutputs(config.metrics, notices.env);
  const k6 = await readyEngine(notices.env, (line) => notices.err(line));
  const reads = new AbortController();
  let sending = false;
  // Before anything is sent one Ctrl-C ends the reads; afterwards they finish what the money rests on, up to a third.
  options.interrupts.onSignal((count) => {
    if (!sending || count > 2) reads.abort();
  });
  const runId = newRunId(Date.now());
  const { embedded, keyFiles } = options;
  const weighed = await openTarget(config, notices.env, embedded, reads.signal, runId, keyFiles);
  let held: FileLock | null = null;
  let archive: BookArchive | undefined;
  let credit: KeptCredit | null = null;
  let page: LivePage | null = null;
  let live: LiveRun | null = null;
  try {
    const home = stateHome(options.state, weighed.target, notices.err);
    held = holdTarget(home);
    archive = openArchive(home);
    page = options.ui === null ? null : await openLivePage(options.ui, notices.err);
    live = new LiveRun({ runId, command: options.mode, target: weighed.target.name, notices, page });
    const keep = config.limits.keep_credit_share;
    if (keep !== null) {
      needAccount(weighed.credentials);
      credit = await keepCredit({ client: weighed.client, share: keep, notices });
    }
    const runDir = makeRunFolder(options.out, runId, config);
    writeCommand(runDir, ranCommand(options));
    storeAssumed(runDir, options.assumed);
    const unnoted = unnotedWords({ home, every_ms: options.every_ms });
    if (unnoted !== null) notices.err(unnoted);
    notices.err(`run ${runId}: testing ${weighed.target.name} at ${weighed.target.root}`);
    const { mode } = options;
    const offer = await readLoadOffer(weighed, runDir, config.billing, { mode, archive })
      .then((read) => {
        spendLimit(config, { ...weighed.target, bill: read.bill });
        const { dialect: asked, bases } = config.target;
        holdDialect(home, { dialect: read.dialect, asked, loopback: bases?.loopback === true });
        return read;
      })
      .catch((error: unknown) => {
        // Nothing was sent, so nothing is worth keeping.
        rmSync(runDir, { recursive: true, force: true });
        throw reads.signal.aborted ? interruptedBeforeStart(error) : error;
      });
    carryOver(runDir, suspenseHome({ ...options, weighed, home }));
    sending = true;
    const parts = { ...options, weighed, home, runDir, k6, outputs, credit, archive, live };
    const scheduled = { home, target: weighed.target.name, began_ms: Date.now(), every_ms: options.every_ms };
    return await holdFolder(runDir, () => weigh(parts, offer, runId)).finally(() =>
      noteScheduledRun(runDir, scheduled),
    );
  } finally {
    live?.close();
    await page?.close();
    credit?.close();
    archive?.close();
    held?.release();
    await weighed.close();
  }
}

/** Trial, load, settlement and judgement, in a folder that is held. */
async function weigh(parts: Omit<AuditStage, 'startS'>, offer: LoadOffer, runId: string): Promise<number> {
  const stage: AuditStage = { ...parts, startS: Math.floor(Date.now() / 1000) - CLOCK_MARGIN_S };
  const { runDir } = stage;
  const budget = { home: stage.home, limits: budgetLimits(stage.config.target.budget) };
  const resolved = await planAndReserve(stage, offer, runId, budget).catch((error: unknown) => {
    // Nothing was sent, so nothing is worth keeping.
    rmSync(runDir, { recursive: true, force: true });
    throw error;
  });
  const planned = resolved.plan;
  let whole = false;
  try {
    const status = await drive(stage, resolved);
    whole = stage.interrupts.count() === 0;
    return status;
  } finally {
    const kept = await settleReservation(stage.home, runDir, planned);
    if (kept !== null) stage.notices.err(`budget: ${kept}; reconcile --run ${runId} settles it later`);
    // Whatever ended it: who broke it off has paid for what was sent.
    if (!whole && stage.home !== null && planned.target.bill === 'served')
      stage.notices.err(await paidWords(runDir, planned));
  }
}

async function planAndReserve(
  stage: AuditStage,
  offer: LoadOffer,
  runId: string,
  budget: RunBudget,
): Promise<ResolvedPlan> {
  const resolved = planRun(stage, offer, runId);
  const { plan } = resolved;
  // Before anything is sent: who finds the folder of a run that was killed can settle what it reserved.
  replaceFile(join(stage.runDir, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`);
  if (stage.capacity !== null) refuseSearch(plan, stage.capacity);
  if (plan.workload.scenarios.length > 0) await reserveRun(budget, plan);
  return resolved;
}

async function drive(stage: AuditStage, resolved: ResolvedPlan): Promise<number> {
  await noteSending(stage.home, notedRun(stage));
  const ended = await trialAndLoad(stage, resolved).catch(asFailure);
  const interrupted = stage.interrupts.count() > 0;
  // What was sent before the load engine broke off has its price all the same.
  if (stage.mode === 'audit' && ended !== false) await settleRun(stage);
  if (typeof ended === 'boolean') return conclude(stage, { interrupted });
  await conclude(stage, { failure: { code: ended.exitCode, why: ended.message } });
  throw ended;
}

/** False where nothing was put after the trial. */
async function trialAndLoad(stage: AuditStage, resolved: ResolvedPlan): Promise<boolean> {
  const { weighed, runDir, archive, interrupts } = stage;
  const { plan, stopped } = await runTrial(stage, resolved);
  replaceFile(join(runDir, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`);
  if (plan.workload.scenarios.length === 0 || stopped || interrupts.count() > 0) return false;
  const watch =
    plan.target.bill === 'none'
      ? null
      : pollDuringLoad({
          client: weighed.client,
          runDir,
          account: readsAccount(weighed.credentials),
          archive,
        });
  await putLoad(stage, plan).finally(() => watch?.stop());
  return true;
}

function ranCommand({ mode, config, capacity, embedded, assumed }: AuditOptions): RanCommand {
  const { nonce } = config;
  const search =
    capacity === null
      ? null
      : {
          from: capacity.from,
          step_ms: config.duration_ms,
          resolution: capacity.resolution,
          most_steps: capacity.mostSteps,
        };
  return { mode, search, nonce, faults: embedded.faults, readings: embedded.readings, assumed };
}

/** The planned load, or the search for the rate that the target holds. */
async function putLoad(stage: AuditStage, plan: Plan): Promise<void> {
  const { config, capacity } = stage;
  const credentials = stage.weighed.credentials;
  if (capacity === null) {
    await runLoad({ ...stage, plan, planFile: 'plan.json', instance: 'i0', credentials });
    return;
  }
  const permit = ({ workload }: Plan) => checkPermission(config, workload.scenarios, Date.now());
  await findCapacity({
    plan,
    runDir: stage.runDir,
    bounds: capacity,
    drive: (step) => runLoad({ ...stage, ...step, credentials }),
    interrupted: () => stage.interrupts.count() > 0,
    say: stage.notices.err,
    permit,
  });
}

function asFailure(error: unknown): WeighbridgeError {
  if (error instanceof WeighbridgeError) return error;
  throw error;
}

function interruptedBeforeStart(cause: unknown): WeighbridgeError {
  return new WeighbridgeError({
    code: 'interrupted',
    message: 'The command was interrupted before it sent anything.',
    hint: 'You need to do nothing. No call was made.',
    cause,
  });
}

function planRun(stage: AuditStage, offer: LoadOffer, runId: string): ResolvedPlan {
  const { config, weighed, notices } = stage;
  if (offer.book === null && offer.bill === 'served')
    notices.err(`The price list cannot be read: ${offer.bookProblems.join('; ')}`);
  const resolved = planOffered(config, weighed.target, offer, { runId, now: Date.now() });
  if (resolved.replay !== null) storeReplay(stage.runDir, resolved.replay);
  for (const note of resolved.notes) notices.err(`  ${note}`);
  for (const choice of resolved.chosen) notices.err(`  ${choice.scenario}: ${choice.model} (${choice.why})`);
  for (const { name, text } of resolved.plan.workload.scenarios) {
    if (text?.prompts === undefined || text.prompts === null) continue;
    const { path, count, order, sha256 } = text.prompts;
    notices.err(
      `  ${name}: ${count} prompts of ${path}, ${order === 'random' ? 'at random' : 'in turn'}, a marker before each (SHA-256 ${sha256.slice(0, 12)}…)`,
    );
  }
  for (const entry of resolved.plan.stopped) notices.err(`  ${entry.scenario}: stopped: ${entry.reason}`);
  return resolved;
}

function suspenseHome({ mode, weighed, home }: Pick<AuditStage, 'mode' | 'weighed' | 'home'>): SuspenseHome {
  // Without a bill nothing is open.
  return { dir: home, keys: mode === 'run' ? [] : weighed.credentials.keyFps };
}

function notedRun({ runDir, weighed, startS }: AuditStage): NotedRun {
  return {
    run_id: basename(runDir),
    runDir,
    key_fp: weighed.credentials.keyFp,
    sent_ms: (startS + CLOCK_MARGIN_S) * 1000,
  };
}

async function conclude(stage: AuditStage, ended: JudgeOptions): Promise<number> {
  const { runDir, notices, baseline, live } = stage;
  live.judging();
  const judged = await judgeFolder(runDir, ended);
  const last_end = judged.reconciliation?.completeness.last_read_at ?? formatInstant(Date.now());
  await noteEnd(stage.home, notedRun(stage), { last_end, say: notices.err });
  if (judged.reconciliation !== null)
    await carryOn(runDir, suspenseHome(stage), basename(runDir), judged.reconciliation);
  const held = baseline === null ? judged : await holdBaseline(runDir, judged, baseline, notices);
  const report = writeListedReport(runDir, held, stage.out);
  live.done(report);
  return stage.tell(report);
}

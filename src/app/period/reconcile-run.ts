import { collectBook } from '../../collect/collect-book.ts';
import { loadCredentials } from '../../config/credentials.ts';
import { loadConfig } from '../../config/load-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Plan } from '../../contracts/plan.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import { parseInstant, SECONDS_PER_DAY } from '../../core/time.ts';
import { paidCalls } from '../../reconcile/records/paid-call.ts';
import { awaitsCredit } from '../carry-over/keep-claims.ts';
import { carryOn, carryOver, type SuspenseHome } from '../carry-over/keep-suspense.ts';
import { noteEnd } from '../carry-over/note-run.ts';
import { keepArchived, takenUpText } from '../evidence/keep-archived.ts';
import { judgedRunsOf, OtherCallsKeeper } from '../evidence/keep-other-calls.ts';
import { keepRaw } from '../evidence/keep-raw.ts';
import { keepRecords, leftOutWords, recordFiles } from '../evidence/keep-records.ts';
import { keepUpstream } from '../evidence/keep-upstream.ts';
import { readsAccount } from '../evidence/poll-during-load.ts';
import { settle } from '../evidence/settle.ts';
import { FolderReader } from '../folder/folder-reader.ts';
import { readPlan } from '../folder/run-folder.ts';
import { storeStatement } from '../folder/statement-file.ts';
import { noteLaterVerdict } from '../history/note-scheduled-run.ts';
import { writeListedReport } from '../history/runs-index.ts';
import {
  type FolderReport,
  type JudgedFolder,
  judgeFolder,
  reconcileFolder,
  wasSwept,
} from '../judge/judge-folder.ts';
import { settlementTeller } from '../live/progress-words.ts';
import type { Notices } from '../notices/notices.ts';
import { settleReservation } from '../spend/run-budget.ts';
import { flagBases, isAddress } from '../target/flag-address.ts';
import { openArchive, stateHome } from '../target/state-home.ts';
import { targetFailure } from '../target/target-failure.ts';
import { clientOf, closeReaders, readersOf } from '../target/weighed-target.ts';
import { keepGivenBill } from './given-bill.ts';
import { judgeBy } from './judge-by.ts';
import { keysOfRun } from './keys-of-run.ts';
import type { ReconcileFlags } from './reconcile-flags.ts';

const CLOCK_MARGIN_S = 2;

/** `reconcile` of a run of ours: reads from the target only what is still open, and judges. */
export async function reconcileRun(
  runDir: string,
  flags: ReconcileFlags,
  notices: Notices,
): Promise<FolderReport> {
  await judgeBy(runDir, flags, notices);
  const folder = new FolderReader(runDir);
  const home = await suspenseHome(folder, flags, notices);
  carryOver(runDir, home);
  await settleReservation(home.dir, runDir, readPlan(runDir));
  const others = new OtherCallsKeeper({ runDir, home: home.dir, keys: home.keys, say: notices.err });
  await keepUpstream(runDir, flags, notices.err);
  const files = (flags.records ?? []).filter((each) => !isAddress(each));
  // A target without records has a bill in buckets at most.
  const billAlone = flags.bill !== undefined && readPlan(runDir).target.bill === 'none';
  if (files.length > 0) {
    const given = await recordFiles(files, flags.recordsMapping, flags.by);
    const kept = await keepRecords(runDir, given, null);
    if (flags.keepRaw === true) notices.err(await keepRaw(runDir, given.files));
    for (const line of [...leftOutWords(kept?.left), ...(kept?.problems ?? [])]) notices.err(line);
  } else if (!billAlone && (claimsAwaitCredit(runDir, home) || (await readsMissing(folder)))) {
    try {
      await readTheRest(folder, { home, others, flags, notices });
    } catch (error) {
      // What was read before can still be judged; the verdict names what is open.
      if (!(error instanceof WeighbridgeError) || !wasSwept(runDir)) throw error;
      notices.err(
        `The target could not be read again, so the run is judged by earlier reads: ${error.message}`,
      );
    }
  }
  const window = await windowOfCalls(folder);
  const taken = keepArchived(runDir, { home: home.dir, keys: home.keys, window, books: true });
  const text = takenUpText(taken);
  if (text !== null) notices.err(text);
  if (flags.statement !== undefined) storeStatement(runDir, flags.statement);
  keepGivenBill(runDir, flags);
  const judged = await others.judged(() => judgeFolder(runDir), judgedRunsOf);
  if (judged.reconciliation !== null)
    await carryOn(runDir, home, readPlan(runDir).run_id, judged.reconciliation);
  const report = writeListedReport(runDir, judged, flags.out);
  // Once more: the verdict may show that more was charged, and its load engine may have ended meanwhile.
  const kept = await settleReservation(home.dir, runDir, readPlan(runDir));
  if (kept !== null) notices.err(`budget: ${kept}; reconcile it again later`);
  else await noteItsEnd(folder, home, judged, notices);
  noteLaterVerdict(runDir, home.dir);
  return report;
}

async function suspenseHome(
  folder: FolderReader,
  { state }: ReconcileFlags,
  { err }: Notices,
): Promise<SuspenseHome> {
  // A header names the key of a file that has one; of several each call names its own.
  const { headers, intents, rows } = await folder.ledger();
  const keys = [...new Set([...headers, ...intents, ...rows].flatMap(({ key_fp }) => key_fp ?? []))];
  return { dir: stateHome(state, readPlan(folder.runDir).target, err), keys };
}

function claimsAwaitCredit(runDir: string, { dir }: SuspenseHome): boolean {
  return dir !== null && awaitsCredit(dir, readPlan(runDir).run_id);
}

/** True while reading again could still change the verdict: nothing was read, or something is open. */
async function readsMissing(folder: FolderReader): Promise<boolean> {
  return !wasSwept(folder.runDir) || (await reconcileFolder(folder)).wanted.length > 0;
}

/** Of a run that was killed, or whose load engines were started by hand: that of an audit is noted at its end. */
async function noteItsEnd(
  folder: FolderReader,
  { dir, keys }: SuspenseHome,
  { reconciliation }: JudgedFolder,
  { err: say }: Notices,
): Promise<void> {
  const { runDir } = folder;
  const last_end = reconciliation?.completeness.last_read_at ?? null;
  if (last_end === null) return;
  const sent_ms = (await firstCallS(folder)) * 1000;
  const run = {
    run_id: readPlan(runDir).run_id,
    runDir,
    key_fp: keys.length === 1 ? (keys[0] ?? null) : null,
    sent_ms,
  };
  await noteEnd(dir, run, { last_end, say });
}

interface OpenReads {
  readonly home: SuspenseHome;
  readonly others: OtherCallsKeeper;
  readonly flags: ReconcileFlags;
  readonly notices: Notices;
}

async function readTheRest(folder: FolderReader, { home, others, flags, notices }: OpenReads): Promise<void> {
  const { runDir } = folder;
  const plan = readPlan(runDir);
  const elsewhere = addressOf(flags);
  const target = elsewhere ?? plan.target;
  if (elsewhere === null && plan.target.bill === 'none') {
    throw new WeighbridgeError({
      code: 'no_bill',
      message: `The run ${plan.run_id} called ${target.root}, which serves no usage records.`,
      hint: 'Use weighbridge report to show the run again. To read the bill from elsewhere, give --records URL.',
    });
  }
  const credentials = loadCredentials(notices.env, { keyFiles: flags.keyFile, headers: plan.target.headers });
  if (!credentials.identifies) {
    throw new WeighbridgeError({
      code: 'credential_missing',
      message: `Some records of this run are still unread at ${target.root}. Reading them needs an API key, and none is set.`,
      hint: 'Set WEIGHBRIDGE_API_KEY, or set WEIGHBRIDGE_API_KEY_FILE to the path of a file with the key.',
    });
  }
  const keys = keysOfRun(home.keys, credentials);
  const config = loadConfig({ file: flags.config, env: notices.env, flags: {} });
  const interrupts = notices.interrupts();
  const reads = new AbortController();
  interrupts.onSignal(() => reads.abort());
  const readers = readersOf(keys, (each) =>
    clientOf(target, each, reads.signal, plan.run_id, plan.workload.http, {
      secrets: credentials.secrets,
      dialect: elsewhere === null ? (plan.target.dialect ?? 'interface') : 'auto',
    }),
  );
  const [{ client }] = readers;
  const archive = openArchive(home.dir);
  try {
    const book = await collectBook({ client, dir: runDir, sweep: 0, archive });
    if (!book.ok && book.status === null)
      throw target.embedded ? gatewayGone(plan) : targetFailure('GET /pricing.usd.json', book);
    await settle({
      readers,
      runDir,
      startS: (await firstCallS(folder)) - CLOCK_MARGIN_S,
      waitMs: config.settle.wait_ms,
      pollMs: config.settle.poll_ms,
      account: readsAccount(credentials),
      runId: plan.run_id,
      archive,
      judge: () =>
        others.judged(
          () => reconcileFolder(folder),
          (reconciliation) => ({ reconciliation, own: [plan.run_id] }),
        ),
      onRound: settlementTeller(notices.err),
      interrupted: () => interrupts.count() > 0,
    });
  } finally {
    archive?.close();
    interrupts.release();
    await closeReaders(readers);
  }
}

/** `--records URL`: the same bill at another address. Throws `records_address_invalid` (exit 2). */
function addressOf({ records }: ReconcileFlags) {
  const address = (records ?? []).find(isAddress);
  if (address === undefined) return null;
  const { root, v1, api } = flagBases('--records', 'records_address_invalid', address);
  return { root, v1, api, embedded: false };
}

/** The embedded gateway lives no longer than the command that started it. */
function gatewayGone(plan: Plan): WeighbridgeError {
  return new WeighbridgeError({
    code: 'embedded_gateway_gone',
    message: `Some records of this run are still unread. The embedded gateway at ${plan.target.root} ended with its run.`,
    hint: 'Run `weighbridge audit` without interrupting it. Or start `weighbridge gateway` yourself and give it as --target.',
  });
}

/** In which its records may be dated: a task settles up to a day after its call. */
async function windowOfCalls(folder: FolderReader): Promise<UsageWindow> {
  const start = (await firstCallS(folder)) - CLOCK_MARGIN_S;
  const calls = paidCalls(await folder.ledger());
  const last = calls.reduce((most, { ended_ms }) => Math.max(most, ended_ms), start * 1000);
  return { start, end: Math.ceil(last / 1000) + SECONDS_PER_DAY };
}

/** Unix seconds of the first thing that the ledger says was sent. */
async function firstCallS(folder: FolderReader): Promise<number> {
  const { intents, rows } = await folder.ledger();
  const moments = [...intents.map((intent) => intent.at), ...rows.map((row) => row.started_at)]
    .map(parseInstant)
    .filter((moment) => moment !== null);
  if (moments.length === 0) return Math.floor(Date.now() / 1000);
  return Math.floor(moments.reduce((least, moment) => Math.min(least, moment)) / 1000);
}

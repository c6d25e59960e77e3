import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { GatewayClient } from '../../client/gateway-client.ts';
import { collectBook } from '../../collect/collect-book.ts';
import { collectSweep } from '../../collect/collect-sweep.ts';
import { ReadBudget } from '../../collect/read-budget.ts';
import { type ReaderState, readerState } from '../../collect/reader-state.ts';
import { nextSweep } from '../../collect/usage-store.ts';
import { Credentials, loadHeaders } from '../../config/credentials.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { type AuditPeriod, PERIOD_SCHEMA } from '../../contracts/audit-period.ts';
import type { PlanTarget } from '../../contracts/plan.ts';
import { formatInstant, instantOfSecond } from '../../core/time.ts';
import { carryOver, type SuspenseHome } from '../carry-over/keep-suspense.ts';
import { keepArchived, takenUpText } from '../evidence/keep-archived.ts';
import { keepRaw } from '../evidence/keep-raw.ts';
import { type KeptRecords, keepRecords, leftOutWords, type RecordFiles } from '../evidence/keep-records.ts';
import { readOpenItems } from '../evidence/read-open-items.ts';
import { storeAssumed } from '../folder/assumed-file.ts';
import { FolderReader } from '../folder/folder-reader.ts';
import { type AskedTolerances, keepAsked } from '../folder/gate-file.ts';
import { type EvidenceSource, keepEvidence } from '../folder/keep-evidence.ts';
import { hasPeriod, storePeriod } from '../folder/period-folder.ts';
import { makeRunFolder } from '../folder/run-folder.ts';
import { reconcileFolder } from '../judge/judge-folder.ts';
import type { Notices } from '../notices/notices.ts';
import { dropOwnBooks, keepFlagBook, keepMapping, ownBooks } from '../target/given-book.ts';
import { openArchive, stateHome } from '../target/state-home.ts';
import { targetFailure } from '../target/target-failure.ts';
import { clientOf } from '../target/weighed-target.ts';
import type { NamedWindow } from './audit-window.ts';

export interface PeriodAudit {
  readonly notices: Notices;
  readonly config: ResolvedConfig;
  readonly target: PlanTarget;
  /** One for each key whose records are read, each with an API key; none where the records come from files. */
  readonly keys: readonly Credentials[];
  readonly window: NamedWindow;
  /** Parent of the folder. */
  readonly out: string;
  readonly state: string;
  /** Records in place of the target's; null: they are read from it. */
  readonly records: RecordFiles | null;
  /** Address or file of a price book in place of the target's and of the configuration's. */
  readonly book: string | null;
  /** Ledger that no run of ours made; null: each record is judged by itself. */
  readonly evidence: EvidenceSource | null;
  /** Files of other programs that stay in the folder whole. */
  readonly keepRaw: readonly string[];
  readonly asked: AskedTolerances;
  /** `NAME=VALUE` of each reading that a flag gave. */
  readonly assumed: readonly string[];
}

/** Where records, a book and perhaps a ledger stand in files, no gateway is asked. */
export const NO_TARGET: PlanTarget = {
  name: 'files',
  root: 'files',
  v1: 'files',
  api: 'files',
  embedded: false,
  key: 'shared',
  bill: 'served',
};

/**
 * Reads the bill of a past period into a folder of its own: the book, and each key's records and totals until they are
 * proven whole. The same period of the same keys and files has the same folder, so a later audit adds its reads to it.
 * Returns the folder. Sends no paid call.
 */
export async function auditPeriod(audit: PeriodAudit): Promise<string> {
  const period = periodOf(audit);
  const isNew = !hasPeriod(folderOfPeriod(audit));
  const runDir = makeRunFolder(audit.out, period.run_id, audit.config);
  try {
    storePeriod(runDir, period);
    await readPeriodInto(runDir, audit, period);
  } catch (error) {
    // Nothing was read that is worth keeping; a refused read alone notes its sweep, too.
    if (isNew && !existsSync(join(runDir, 'usage', 'records.ndjson')))
      rmSync(runDir, { recursive: true, force: true });
    throw error;
  }
  return runDir;
}

/** Where the audit reads to, whether it is there or not. */
export function folderOfPeriod(audit: PeriodAudit): string {
  return resolve(audit.out, periodOf(audit).run_id);
}

async function readPeriodInto(runDir: string, audit: PeriodAudit, period: AuditPeriod): Promise<void> {
  const { config, target, window, book, records, evidence, notices } = audit;
  const { file, mapping } = config.billing.book;
  keepAsked(runDir, audit.asked);
  storeAssumed(runDir, audit.assumed);
  if (evidence !== null) await keepEvidence(runDir, evidence);
  if (audit.keepRaw.length > 0) notices.err(`  ${await keepRaw(runDir, audit.keepRaw)}`);
  if (mapping !== null) keepMapping(runDir, mapping);
  await keepBook(runDir, audit);
  carryOver(runDir, suspenseHome(audit));
  const ownBook = book !== null || file !== null;
  const interrupts = notices.interrupts();
  const reads = new AbortController();
  interrupts.onSignal(() => reads.abort());
  const interrupted = (): boolean => interrupts.count() > 0;
  const reading: Reading = { runDir, audit, period, signal: reads.signal };
  try {
    if (records !== null) {
      const kept = await keepRecords(runDir, records, window);
      const said =
        kept === null ? 'the records of these files stand in the folder' : `${kept.records} records read`;
      if (records.files.length > 0) notices.err(`${period.run_id}: ${said}`);
      if (kept !== null && kept.outside > 0)
        notices.err(`  ${kept.outside} more are dated outside the period${spanText(kept)}`);
      for (const line of [...leftOutWords(kept?.left), ...(kept?.problems ?? [])]) notices.err(`  ${line}`);
    }
    if (!ownBook && target !== NO_TARGET) await readBook(reading);
    for (const credentials of records === null ? keysOf(audit) : []) {
      // Each key's sweep has a number of its own: which of its walks count is noted by that.
      const sweep = nextSweep(runDir);
      const state: ReaderState = readerState({ budget: new ReadBudget({ stopped: interrupted }) });
      const keyFp = credentials.keyFp ?? undefined;
      const { failure, records: count } = await withClient(reading, credentials, (client) =>
        collectSweep({ client, dir: runDir, window, sweep, prove: true, state, keyFp }),
      );
      if (failure !== null && count === 0) throw targetFailure('GET /v1/usage/requests', failure);
      notices.err(`${period.run_id}: ${count} records of key ${credentials.keyFp ?? ''} read`);
    }
    takeUpArchive(runDir, audit, period, !ownBook);
    if (records === null) await readEarlier(reading, interrupted);
  } finally {
    interrupts.release();
  }
}

/** What was served in the period, and its records as they stood before. */
function takeUpArchive(runDir: string, audit: PeriodAudit, { run_id, keys }: AuditPeriod, books: boolean) {
  const { state, target, notices, window } = audit;
  const home = stateHome(state, target, notices.err);
  const taken = keepArchived(runDir, { home, window, keys, books });
  const text = takenUpText(taken);
  if (text !== null) notices.err(`${run_id}: ${text}`);
}

/**
 * Keeps the book of this verdict alone. The folder is that of the bill, whatever it is judged by: its reads and open
 * items are kept once. A verdict by another book replaces the one before, and says so.
 */
async function keepBook(runDir: string, { book, config, notices }: PeriodAudit): Promise<void> {
  const { file } = config.billing.book;
  const before = ownBooks(runDir);
  const given = book ?? file;
  if (given === null) dropOwnBooks(runDir, null);
  else await keepFlagBook(runDir, given, notices.env);
  if (!existsSync(join(runDir, 'result.json')) || before.join() === ownBooks(runDir).join()) return;
  notices.err(
    `${basename(runDir)}: judged by another price list than before. The earlier verdict in this folder is replaced. Give another --out to keep both.`,
  );
}

/** The days of the records that were left aside: of a wrong month they tell the right one. */
function spanText({ outsideSpan }: KeptRecords): string {
  if (outsideSpan === null) return '';
  const [first, last] = [outsideSpan.start, outsideSpan.end - 1].map((second) =>
    instantOfSecond(second)?.slice(0, 10),
  );
  if (first === undefined || last === undefined) return '';
  return first === last ? `: on ${first}` : `: from ${first} to ${last}`;
}

/** What the reads of one audit share. */
interface Reading {
  readonly runDir: string;
  readonly audit: PeriodAudit;
  readonly period: AuditPeriod;
  readonly signal: AbortSignal;
}

async function withClient<T>(
  { audit, period, signal }: Reading,
  credentials: Credentials,
  work: (client: GatewayClient) => Promise<T>,
): Promise<T> {
  const { target, config } = audit;
  const client = clientOf(target, credentials, signal, period.run_id, config.http, {
    secrets: secretsOf(audit),
    dialect: config.target.dialect,
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** The book is public: its reads carry no key. */
async function readBook(reading: Reading): Promise<void> {
  const { runDir: dir, audit } = reading;
  const headers = loadHeaders(audit.notices.env, audit.config.target.headers);
  const nobody = new Credentials({ apiKey: null, accessToken: null, userId: null, headers });
  const archive = openArchive(stateHome(audit.state, audit.target, audit.notices.err));
  try {
    const served = await withClient(reading, nobody, (client) =>
      collectBook({ client, dir, sweep: nextSweep(dir), archive }),
    );
    if (!served.ok && served.status === null) throw targetFailure('GET /pricing.usd.json', served);
  } finally {
    archive?.close();
  }
}

/** What earlier audits left open is asked for by request id, as far as this one has not settled it. */
async function readEarlier(reading: Reading, interrupted: () => boolean): Promise<void> {
  const { runDir, audit, period } = reading;
  const { run_id: runId } = period;
  const { suspense } = await reconcileFolder(new FolderReader(runDir));
  const items = (suspense ?? []).filter(({ first_run, state }) => first_run !== runId && state !== 'cleared');
  if (items.length === 0) return;
  const sweep = nextSweep(runDir);
  for (const credentials of keysOf(audit)) {
    const keyFp = credentials.keyFp ?? undefined;
    const state = readerState({ budget: new ReadBudget({ stopped: interrupted }) });
    await withClient(reading, credentials, (client) =>
      readOpenItems({ client, runDir, sweep, state, keyFp, runId, items, interrupted }),
    );
  }
}

/** What the target knows of us: in answers to one key it may repeat another. */
function secretsOf({ keys }: PeriodAudit): readonly string[] {
  return keys.flatMap(({ secrets }) => secrets);
}

/** Each key once, however often it is given: read twice, its records would count twice. */
function keysOf({ keys }: PeriodAudit): readonly Credentials[] {
  return [...new Map(keys.map((key) => [key.keyFp, key])).values()];
}

function fingerprintsOf(audit: PeriodAudit): readonly string[] {
  return keysOf(audit)
    .flatMap(({ keyFp }) => keyFp ?? [])
    .sort();
}

/** Whose open items an audit of a period carries over. */
export function suspenseHome(audit: PeriodAudit): SuspenseHome {
  const { state, target, notices } = audit;
  return { dir: stateHome(state, target, notices.err), keys: fingerprintsOf(audit) };
}

function periodOf(audit: PeriodAudit): AuditPeriod {
  const { target, window, records, evidence } = audit;
  const keys = fingerprintsOf(audit);
  const files = [...(records?.digests ?? []), ...(evidence === null ? [] : [evidence.digest])];
  const digest = createHash('sha256')
    .update(JSON.stringify([target.root, keys, window.start, ...files]))
    .digest('hex');
  return {
    schema: PERIOD_SCHEMA,
    run_id: `${window.name}-${digest.slice(0, 8)}`,
    target,
    start: formatInstant(window.start * 1000),
    end: formatInstant(window.end * 1000),
    keys,
  };
}

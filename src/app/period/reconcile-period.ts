import { loadCredentials, loadHeaders, loadKeyFile } from '../../config/credentials.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { HeaderReferences } from '../../config/target-headers.ts';
import type { AuditPeriod } from '../../contracts/audit-period.ts';
import type { ErrorCode } from '../../contracts/errors/error-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { parseInstant } from '../../core/time.ts';
import { readEvidence } from '../../ledger/evidence/read-evidence.ts';
import { loadLedger } from '../../ledger/load-ledger.ts';
import { planTarget } from '../../plan/plan-target.ts';
import { carryOn, type SuspenseHome } from '../carry-over/keep-suspense.ts';
import { judgedRunsOf, OtherCallsKeeper } from '../evidence/keep-other-calls.ts';
import { recordFiles } from '../evidence/keep-records.ts';
import { keepUpstream } from '../evidence/keep-upstream.ts';
import { askedTolerances } from '../folder/gate-file.ts';
import { type EvidenceSource, evidenceSource, readKeptEvidence } from '../folder/keep-evidence.ts';
import { holdFolder } from '../folder/locks.ts';
import { storeStatement } from '../folder/statement-file.ts';
import { writeListedReport } from '../history/runs-index.ts';
import { type FolderReport, judgeFolder } from '../judge/judge-folder.ts';
import { memoryBytes } from '../judge/memory-size.ts';
import type { Notices } from '../notices/notices.ts';
import { isAddress } from '../target/flag-address.ts';
import { stateHome } from '../target/state-home.ts';
import { auditPeriod, folderOfPeriod, NO_TARGET, type PeriodAudit, suspenseHome } from './audit-period.ts';
import type { NamedWindow } from './audit-window.ts';
import { keepGivenBill } from './given-bill.ts';
import { judgeBy } from './judge-by.ts';
import { latestSecond, type ReconcileFlags } from './reconcile-flags.ts';

/**
 * `reconcile` without a run of ours: a past period by its records alone, or a ledger that another program wrote.
 * `window` null: that of the ledger.
 */
export async function reconcilePeriod(
  window: NamedWindow | null,
  flags: ReconcileFlags,
  notices: Notices,
): Promise<FolderReport> {
  const asked = askedTolerances(flags);
  const addresses = (flags.records ?? []).filter(isAddress);
  const files = (flags.records ?? []).filter((each) => !isAddress(each));
  const [address, ...more] = [...addresses, ...(flags.target === undefined ? [] : [flags.target])];
  if (more.length > 0 || (addresses.length > 0 && files.length > 0))
    throw usage(
      'records_ambiguous',
      'The usage records are given in more than one way.',
      'Give either --records with files, or one address.',
    );
  const config = loadConfig({
    file: flags.config,
    env: notices.env,
    flags: address === undefined ? {} : { target: address },
  });
  const evidence =
    flags.ledger === undefined ? null : evidenceSource(flags.ledger, flags.ledgerFormat, flags.columns);
  const served = planTarget(config.target);
  // A ledger and a bill in buckets need no records: then there are none.
  const isAlone = served === null && flags.bill !== undefined && evidence !== null;
  const records =
    files.length === 0 && !isAlone ? null : await recordFiles(files, flags.recordsMapping, flags.by);
  const target = served ?? (records === null ? null : NO_TARGET);
  if (target === null) throw targetMissing();
  if (target === NO_TARGET && flags.pricebook === undefined && config.billing.book.file === null)
    throw usage(
      'pricebook_missing',
      'Records from files need a price list, and none is given.',
      'Give --pricebook FILE, or give the gateway with --target.',
    );
  const audit: PeriodAudit = {
    notices,
    config,
    target,
    keys: records === null ? keysOf(flags, notices, config.target.headers) : [],
    window: window ?? (await evidenceWindow(evidence, latestSecond(flags))),
    out: flags.out,
    state: flags.state,
    records,
    book: flags.pricebook ?? null,
    evidence,
    keepRaw: flags.keepRaw === true ? [...(records?.files ?? []), ...(evidence?.files ?? [])] : [],
    asked,
    assumed: flags.assumeReading ?? [],
  };
  return holdFolder(folderOfPeriod(audit), async () =>
    concludePeriod(await auditPeriod(audit), audit, flags, notices),
  );
}

/** `--run` of such an audit: judged again by what its folder holds. The same period asked for again reads on. */
export async function reconcilePeriodFolder(
  runDir: string,
  period: AuditPeriod,
  flags: ReconcileFlags,
  notices: Notices,
): Promise<FolderReport> {
  await judgeBy(runDir, flags, notices);
  const home = { dir: stateHome(flags.state, period.target, notices.err), keys: period.keys };
  return judgePeriodFolder(runDir, home, flags, notices);
}

async function concludePeriod(
  runDir: string,
  audit: PeriodAudit,
  flags: ReconcileFlags,
  notices: Notices,
): Promise<FolderReport> {
  const foreign = audit.evidence !== null && audit.evidence.format !== 'weighbridge';
  const coverage = foreign ? ((await readKeptEvidence(runDir))?.coverage ?? null) : null;
  for (const sentence of coverage?.cannot ?? []) notices.err(`  ${sentence}`);
  return judgePeriodFolder(runDir, suspenseHome(audit), flags, notices);
}

async function judgePeriodFolder(
  runDir: string,
  home: SuspenseHome,
  flags: ReconcileFlags,
  notices: Notices,
): Promise<FolderReport> {
  if (flags.statement !== undefined) storeStatement(runDir, flags.statement);
  await keepUpstream(runDir, flags, notices.err);
  keepGivenBill(runDir, flags);
  // Groups are told of rows that are judged one by one.
  const options = { memory_bytes: flags.by === undefined ? memoryBytes(flags) : 0, say: notices.err };
  const others = new OtherCallsKeeper({ runDir, home: home.dir, keys: home.keys, say: notices.err });
  const judged = await others.judged(() => judgeFolder(runDir, options), judgedRunsOf);
  const { reconciliation, period } = judged;
  if (reconciliation !== null) await carryOn(runDir, home, period?.run_id ?? '', reconciliation);
  return writeListedReport(runDir, judged, flags.out);
}

function keysOf(
  { keyFile }: ReconcileFlags,
  { env }: Notices,
  references: HeaderReferences,
): PeriodAudit['keys'] {
  const headers = loadHeaders(env, references);
  const keys =
    keyFile === undefined
      ? [loadCredentials(env, { headers: references })]
      : keyFile.map((file) => loadKeyFile(file, '--key-file', headers));
  if (keys.every(({ apiKey }) => apiKey !== null)) return keys;
  throw usage(
    'credential_missing',
    'The audit needs the API key of the bill, and none is set.',
    'Set WEIGHBRIDGE_API_KEY, or give --key-file FILE once for each key.',
  );
}

function targetMissing(): WeighbridgeError {
  return usage(
    'target_missing',
    'The audit needs a gateway or files of records, and neither is given.',
    'Give the address with --target or as target.url in the configuration. Or give files of records with --records.',
  );
}

function usage(code: ErrorCode, message: string, hint: string): WeighbridgeError {
  return new WeighbridgeError({ code, message, hint });
}

/** Clocks of two machines differ, and a gateway may date a record by its settlement, a task's a day later. */
const BEFORE_S = 60;
const AFTER_S = 86_400;

/** The time in which the records of a ledger's calls stand, `latestS` its end at the latest. Throws `ledger_empty` (exit 2). */
async function evidenceWindow(source: EvidenceSource | null, latestS: number): Promise<NamedWindow> {
  const { rows, intents } = source === null ? { rows: [], intents: [] } : await ledgerOf(source);
  const moments = [
    ...rows.map(({ started_at, end_ms }) => [parseInstant(started_at), end_ms] as const),
    ...intents.map(({ at }) => [parseInstant(at), 0] as const),
  ].flatMap(([at, ms]) => (at === null ? [] : [{ from: at, to: at + ms }]));
  if (moments.length === 0) {
    throw new WeighbridgeError({
      code: 'ledger_empty',
      message: `The ledger contains no calls: ${source?.files.join(', ') ?? 'no file'}.`,
      hint: 'Give the ledger of the calls to audit, or give a period with --month or with --from and --to.',
    });
  }
  const from = moments.reduce((least, moment) => Math.min(least, moment.from), Number.POSITIVE_INFINITY);
  const to = moments.reduce((most, moment) => Math.max(most, moment.to), 0);
  const start = Math.floor(from / 1000) - BEFORE_S;
  const end = Math.min(Math.ceil(to / 1000) + AFTER_S, latestS);
  return {
    start,
    end: Math.max(end, start + 1),
    name: `ledger-${new Date(from).toISOString().slice(0, 10)}`,
  };
}

async function ledgerOf({ files, format, columns }: EvidenceSource) {
  if (format === 'weighbridge') return loadLedger(files);
  const { ledger } = await readEvidence({ files, format, ...(columns === null ? {} : { columns }) });
  return ledger;
}

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BillSpan } from '../../bill/read/bill.ts';
import type { AuditPeriod } from '../../contracts/audit-period.ts';
import type { CapacityResult } from '../../contracts/capacity-result.ts';
import type { ChainResult } from '../../contracts/chain-result.ts';
import type { BaselineResult } from '../../contracts/comparison.ts';
import type { Plan } from '../../contracts/plan.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { ExitReason, Result } from '../../contracts/result.ts';
import { parseInstant } from '../../core/time.ts';
import { abortMessage } from '../../drive/abort-message.ts';
import { replaceFile } from '../../files/replace-file.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import { callCosts } from '../../measure/call-costs.ts';
import { type Measurement, measure } from '../../measure/measure.ts';
import { reconcileInStore, type StoredJudgement } from '../../reconcile/clean-rows/reconcile-in-store.ts';
import {
  type LoadInputOptions,
  loadReconcileInput,
  loadReconcileTerms,
} from '../../reconcile/input/load-reconcile-input.ts';
import { reconcile } from '../../reconcile/reconcile.ts';
import { reportedClaims } from '../../report/claims/claims-section.ts';
import { BILL_CSV, billCsv } from '../../report/files/bill-csv.ts';
import { buildResult } from '../../report/files/build-result.ts';
import { type ReportPaths, writeReport } from '../../report/files/write-report.ts';
import type { RunPlace } from '../../report/sections/repeat-section.ts';
import { readKeptBill } from '../folder/bill-files.ts';
import { FolderReader } from '../folder/folder-reader.ts';
import { BASELINE_FILE, CAPACITY_FILE, readBuild, readCommand } from '../folder/run-files.ts';
import { readBilling, readLeastClaim, readPlan, readTolerances } from '../folder/run-folder.ts';
import { readStatement } from '../folder/statement-file.ts';
import { readOpening } from '../folder/suspense-file.ts';
import { VERSION } from '../version/version.ts';
import { countedRows } from './counted-rows.ts';
import { type HeldBill, holdBill } from './hold-bill.ts';
import { baselineExits } from './judge-baseline.ts';
import { chainExits, hasUpstream, judgeChain } from './judge-chain.ts';
import { judgeExit } from './judge-exit.ts';
import { ledgerEnds, noCallSucceeded } from './ledger-ends.ts';
import { hasListPrices, markupOf } from './list-prices.ts';
import { DEFAULT_MEMORY_BYTES } from './memory-size.ts';
import { reportedStep, stepPlanFile, unjudgedSteps } from './reported-step.ts';
import { usedBooks } from './used-books.ts';

/** Everything that a run folder holds, judged anew: the same folder gives the same verdict and the same bytes. */
export interface JudgedFolder {
  /** Null for an audit of a past period, which `period` then tells of. */
  readonly plan: Plan | null;
  readonly period: AuditPeriod | null;
  readonly basis: 'ledger' | 'records';
  readonly ledger: LoadedLedger;
  readonly measurement: Measurement | null;
  readonly reconciliation: Reconciliation | null;
  /** The bill against what the gateway bought; null where nothing tells of that. */
  readonly chain: ChainResult | null;
  /** The bill in buckets that was held against it; null where none was given. */
  readonly held: HeldBill | null;
  /** The search of a run that looked for its target's capacity. */
  readonly capacity: CapacityResult | null;
  /** What it was held against; null where that was asked for of no verdict on the folder. */
  readonly baseline: BaselineResult | null;
  readonly exits: readonly ExitReason[];
}

export interface JudgeOptions {
  /** Why the load engine broke off, where that was seen. */
  readonly failure?: ExitReason | null;
  /** True where Ctrl-C kept a load from being put, which no ledger tells. */
  readonly interrupted?: boolean;
  /** What the audit of a large ledger may take; 0: every row is judged by itself, and stands in the judgement. */
  readonly memory_bytes?: number;
  /** Told why a large ledger is not judged by what was judged before. */
  readonly say?: (line: string) => void;
}

export async function judgeFolder(runDir: string, options: JudgeOptions = {}): Promise<JudgedFolder> {
  const folder = new FolderReader(runDir);
  const { period } = folder;
  if (period !== null) return judgePeriod(folder, period, options);
  const plan = readPlan(runDir);
  const ledger = await folder.ledger();
  const judged = wasSwept(runDir) || hasBill(runDir) ? await reconcileFolder(folder) : null;
  const held = holdKeptBill(runDir, judged, null);
  const reconciliation = held?.reconciliation ?? judged;
  const capacity = CAPACITY_FILE.read(runDir);
  const step = capacity === null ? null : reportedStep(capacity);
  const measurement =
    plan.workload.scenarios.length === 0
      ? null
      : measure({
          plan: step === null ? plan : readPlan(runDir, stepPlanFile(step)),
          rows: await countedRows(plan, ledger),
          states: ledger.states,
          headers: ledger.headers,
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
    halted: options.interrupted === true ? [...ends.halted, 'interrupted'] : ends.halted,
    no_success: noCallSucceeded(ledger.rows),
    unjudged: capacity === null ? [] : unjudgedSteps(capacity),
    failure: options.failure ?? null,
    abortMessage: ends.halted.includes('script_aborted') ? await abortMessage(runDir) : null,
    stopped: plan.stopped,
    driven: plan.workload.scenarios.length,
  });
  const baseline = BASELINE_FILE.read(runDir);
  const chain =
    reconciliation === null
      ? null
      : await judgeChain(runDir, reconciliation, { nonce: plan.nonce, period: null });
  const all = [...exits, ...chainExits(chain), ...baselineExits(baseline)];
  return {
    plan,
    period,
    basis: 'ledger',
    ledger,
    measurement,
    reconciliation,
    chain,
    held,
    capacity,
    baseline,
    exits: all,
  };
}

/** Nothing was driven, so nothing is measured: the bill is judged by a ledger of others, or by its own records. */
async function judgePeriod(
  folder: FolderReader,
  period: AuditPeriod,
  options: JudgeOptions,
): Promise<JudgedFolder> {
  const stored = await reconcileLarge(folder, options);
  const judged = stored?.reconciliation ?? (await reconcileFolder(folder));
  const held = holdKeptBill(folder.runDir, judged, secondsOf(period));
  const reconciliation = held?.reconciliation ?? judged;
  const ledger = stored?.ledger ?? (await folder.ledger());
  const { gaps } = ledgerEnds(ledger);
  const basis = stored === null ? await folder.basis() : 'ledger';
  const chain = await judgeChain(folder.runDir, reconciliation, {
    nonce: null,
    period: basis === 'records' ? period : null,
  });
  const exits = [...judgeExit({ ...NOTHING_DRIVEN, gaps, reconciliation }), ...chainExits(chain)];
  return {
    plan: null,
    period,
    basis,
    ledger,
    measurement: null,
    reconciliation,
    chain,
    held,
    capacity: null,
    baseline: null,
    exits,
  };
}

function holdKeptBill(
  runDir: string,
  judged: Reconciliation | null,
  covered: BillSpan | null,
): HeldBill | null {
  const kept = readKeptBill(runDir);
  return kept === null || judged === null ? null : holdBill(kept, judged, covered, readTolerances(runDir));
}

function secondsOf({ start, end }: AuditPeriod): BillSpan {
  return { start: (parseInstant(start) ?? 0) / 1000, end: (parseInstant(end) ?? 0) / 1000 };
}

const NOTHING_DRIVEN = {
  load: null,
  client: null,
  halted: [],
  capped: [],
  unclosed: [],
  unjudged: [],
  failure: null,
  no_success: null,
  abortMessage: null,
  stopped: [],
  driven: null,
} as const;

/** True once usage records were read: a run that only drives has no bill to judge. */
export function wasSwept(runDir: string): boolean {
  const pages = join(runDir, 'usage/pages.ndjson');
  return existsSync(pages) && readFileSync(pages, 'utf8').includes('"read":"sweep_end"');
}

/**
 * Judges a ledger that is too large to be judged row by row. Null where it is small, where a statement, list prices
 * or an upstream need every row, or where nothing can be accepted as a whole.
 */
async function reconcileLarge(
  folder: FolderReader,
  { memory_bytes = DEFAULT_MEMORY_BYTES, say = () => undefined }: JudgeOptions,
): Promise<StoredJudgement | null> {
  const { runDir } = folder;
  const ledger = folder.ledgerFiles();
  if (memory_bytes === 0 || ledger === null || sizeOf(ledger) < LARGE_BYTES) return null;
  if (needsEveryRow(runDir)) return null;
  const files = { ledger, records: [join(runDir, 'usage/records.ndjson')] };
  const terms = await loadReconcileTerms(runDir, { ...judgeTerms(folder), basis: 'ledger' });
  // Each prompt may begin as any other one.
  if (terms.terms.cache !== null) return null;
  const keep = { file: join(runDir, ACCEPTED_FILE), version: VERSION };
  const judged = await reconcileInStore(terms, files, { memory_bytes, dir: runDir, keep, say });
  return 'declined' in judged ? null : judged;
}

/** What was accepted of a large ledger, for the next judgement; rebuilt where it is missing, damaged or does not fit. */
const ACCEPTED_FILE = 'accepted.duckdb';

/** About 100,000 rows, which take ten seconds to judge one by one. */
const LARGE_BYTES = 64_000_000;

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

/** A statement, bills, list prices and what was bought are held against each row. */
function needsEveryRow(runDir: string): boolean {
  return readStatement(runDir) !== null || hasBill(runDir) || hasListPrices(runDir) || hasUpstream(runDir);
}

function hasBill(runDir: string): boolean {
  return readKeptBill(runDir) !== null;
}

export async function reconcileFolder(folder: FolderReader): Promise<Reconciliation> {
  const input = await loadReconcileInput(folder.runDir, {
    ...judgeTerms(folder),
    basis: await folder.basis(),
    ledger: await folder.ledger(),
  });
  return reconcile(input);
}

function judgeTerms({ runDir, period, usage }: FolderReader): LoadInputOptions {
  const { terms, book } = readBilling(runDir);
  const opening = readOpening(runDir);
  const run_id = opening === null ? '' : (period ?? readPlan(runDir)).run_id;
  return {
    tolerances: readTolerances(runDir),
    terms,
    adapter: book.adapter,
    usage,
    suspense: opening === null ? null : { run_id, opening },
    ...(period === null ? {} : { key: period.target.key }),
  };
}

export interface FolderReport {
  readonly runDir: string;
  readonly result: Result;
  readonly paths: ReportPaths;
  /** Id of a finding behind the verdict; null where none is at the gate. */
  readonly finding: string | null;
}

/** Renders the judged folder into its report files; `place` as `placeOf` gives it. */
export function writeFolderReport(runDir: string, judged: JudgedFolder, place?: RunPlace): FolderReport {
  const { plan, period, basis, measurement, reconciliation, chain, held, capacity, baseline, exits } = judged;
  const result = buildResult({
    plan,
    period,
    basis,
    measurement,
    reconciliation,
    chain,
    capacity,
    statement: readStatement(runDir),
    bucket_bill: held?.result ?? null,
    baseline,
    stopped: plan?.stopped ?? [],
    tool: { weighbridge: VERSION, ...builtFrom(runDir), k6: judged.ledger.headers[0]?.versions.k6 ?? null },
    exits,
  });
  if (held !== null) replaceFile(join(runDir, BILL_CSV), billCsv(held.spans));
  const gating = result.findings.find(({ gates }) => gates)?.class;
  return {
    runDir,
    result,
    finding: reconciliation?.findings.find((each) => each.class === gating)?.id ?? null,
    paths: writeReport(runDir, {
      result,
      plan,
      period,
      measurement,
      reconciliation,
      place,
      command: readCommand(runDir),
      books: usedBooks(runDir),
      markup: reconciliation === null ? null : markupOf(runDir, reconciliation),
      claims: reconciliation && reportedClaims(result, reconciliation, readLeastClaim(runDir)),
    }),
  };
}

/** Cores of the machine that made the load, from the ledger; one where it does not say. */
function coresOf(ledger: LoadedLedger): number {
  return ledger.headers[0]?.cores ?? 1;
}

/** Folders of earlier versions tell no commit. */
function builtFrom(runDir: string): { readonly revision?: string } {
  const revision = readBuild(runDir);
  return revision === null ? {} : { revision };
}

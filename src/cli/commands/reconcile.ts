import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { gatherLedger } from '../../app/evidence/given-ledger.ts';
import { leftOutWords } from '../../app/evidence/keep-records.ts';
import { previewBill } from '../../app/evidence/preview-bill.ts';
import { previewRecords, type RecordsPreview } from '../../app/evidence/preview-records.ts';
import { RECORD_MAPPINGS } from '../../app/evidence/record-mapping.ts';
import { RECORD_COLUMNS } from '../../app/evidence/record-tables.ts';
import { LEDGER_FORMATS } from '../../app/folder/keep-evidence.ts';
import { holdFolder } from '../../app/folder/locks.ts';
import { readPeriod } from '../../app/folder/period-folder.ts';
import { DEFAULT_OUT, findRunFolder } from '../../app/folder/run-folder.ts';
import type { FolderReport } from '../../app/judge/judge-folder.ts';
import { auditWindow } from '../../app/period/audit-window.ts';
import { type Look, reconcileDue } from '../../app/period/reconcile-due.ts';
import { latestSecond, type ReconcileFlags } from '../../app/period/reconcile-flags.ts';
import { reconcilePeriod, reconcilePeriodFolder } from '../../app/period/reconcile-period.ts';
import { reconcileRun } from '../../app/period/reconcile-run.ts';
import { EXIT, exitStatus } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import { alignedRows } from '../../text/aligned-rows.ts';
import { assumeOption } from '../flags/assume-flag.ts';
import { billOptions, billPreviewLines } from '../flags/bill-flags.ts';
import { printAnswer, printVerdict } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

const ABOUT =
  'compare the calls of a run, a past month or a ledger of others with the usage records and the price book; reads what is missing, for free';

interface JsonFlag {
  readonly json?: boolean;
}

export function reconcileCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  reconcileOptions(program.command('reconcile').description(ABOUT)).action(
    async (flags: ReconcileFlags & JsonFlag) => {
      if (flags.preview === true && flags.bill !== undefined) {
        const preview = previewBill(flags.bill, flags.billMapping);
        printAnswer(terminal, flags.json, preview, () => billPreviewLines(preview));
        return finish(EXIT.ok);
      }
      if (flags.preview === true) {
        const preview = await previewRecords(flags.records ?? [], flags.recordsMapping);
        const told = { ...preview, left: Object.fromEntries(preview.left) };
        printAnswer(terminal, flags.json === true, told, () => previewLines(preview));
        return finish(EXIT.ok);
      }
      const tell = (report: FolderReport) => printVerdict(terminal, report, flags.json === true);
      if (flags.due === true)
        return finish(dueStatus(await reconcileDue(flags, terminal, tell), flags, terminal));
      const window = auditWindow(flags, Math.floor(Date.now() / 1000), latestSecond(flags));
      const judged =
        window !== null || isEvidence(flags)
          ? reconcilePeriod(window, flags, terminal)
          : reconcileFolderOf(flags, terminal);
      finish(tell(await judged.catch((error) => Promise.reject(blamed(error, flags)))));
    },
  );
}

/** A damaged ledger that the command was handed is bad input; that of a run folder is a fault of ours. */
function blamed(error: unknown, { ledger }: ReconcileFlags): unknown {
  if (ledger === undefined || !(error instanceof WeighbridgeError) || error.code !== 'ledger_corrupt')
    return error;
  const { code, message, hint } = error;
  return new WeighbridgeError({ code, message, hint, exitCode: EXIT.usage, cause: error });
}

/** Of all looks together. */
function dueStatus(due: readonly Look[], { json }: JsonFlag, terminal: Terminal): number {
  const exit_codes = [...new Set(due.map((look) => look.exit_status))].filter((code) => code !== EXIT.ok);
  if (json === true) terminal.out(JSON.stringify({ due, exit_codes }));
  return exitStatus(exit_codes);
}

async function reconcileFolderOf(flags: ReconcileFlags, terminal: Terminal): Promise<FolderReport> {
  const runDir =
    flags.ledger === undefined ? findRunFolder(flags.out, flags.run) : await gatherLedger(flags.ledger);
  const period = readPeriod(runDir);
  return holdFolder(runDir, () =>
    period === null
      ? reconcileRun(runDir, flags, terminal)
      : reconcilePeriodFolder(runDir, period, flags, terminal),
  );
}

/** A ledger without a run folder, and something to hold against it. */
function isEvidence({ ledger, target, records, ledgerFormat, bill }: ReconcileFlags): boolean {
  if (ledger === undefined) return false;
  const planned = ledger.some((path) =>
    [path, dirname(resolve(path))].some((folder) => existsSync(join(folder, 'plan.json'))),
  );
  return !planned && [target, records, ledgerFormat, bill].some((given) => given !== undefined);
}

function reconcileOptions(command: Command): Command {
  return billOptions(assumeOption(command))
    .option('--run <id>', 'id of a run or of an earlier audit (default: the newest run under --out)')
    .option(
      '--due',
      'every run under --out whose free look at +1 h or +25 h is due, for a timer; with --target only its runs',
    )
    .option(
      '--ledger <path...>',
      'run folder, wherever it stands; more folders add the ledger files of further instances to it. Without a run folder: files or folders of a ledger that another program wrote',
    )
    .addOption(
      new Option('--ledger-format <name>', 'its format').choices([...LEDGER_FORMATS]).argParser(asGiven),
    )
    .option('--columns <file>', 'which column of a CSV ledger is what (YAML)')
    .option(
      '--month <YYYY-MM|last>',
      'audit a past month (UTC) by its records alone: no ledger, no paid call; last: the calendar month before this one',
    )
    .option('--from <time>', 'with --to: audit any past period, such as 2026-10-01 or 2026-10-01T12:00Z')
    .option('--to <time>', 'its end, which is not inside')
    .option('--target <url>', 'gateway whose bill is audited (without a run): root, /v1 or /api form')
    .option('--key-file <file...>', 'file with an API key; one for each key')
    .option(
      '--records <url|file...>',
      'usage records from files (NDJSON, JSON, CSV, Parquet), or of another address, in place of those of the target',
    )
    .option(
      '--records-mapping <name|file>',
      `how the files of another program are usage records (YAML): ${RECORD_MAPPINGS.names.join(', ')}, or a file of yours`,
    )
    .option(
      '--preview',
      'show ten records of --records, or rows of --bill, as they are understood, and judge nothing',
    )
    .option(
      '--by <group>',
      'with --records-mapping: the money of each key, team or tag, as the mapping names them',
    )
    .option(
      '--keep-raw',
      'keep the files of other programs whole in the folder, and say which members they hold',
    )
    .option('--pricebook <url|file>', 'price book from a file or address, in place of that of the target')
    .option(
      '--upstream <file>',
      'what the gateway bought from its provider: usage records, rows of another program, a ledger of ours, or the journal of an embedded gateway',
    )
    .option('--upstream-mapping <name|file>', 'how its rows are usage records, as with --records-mapping')
    .option('--upstream-pricebook <file>', 'price list of the provider, for a ledger, which tells no charges')
    .option(
      '--upstream-model <sold=bought...>',
      'model that is bought for one that is sold under another name',
    )
    .option(
      '--upstream-whole',
      'each call in it was sold in the records that are judged: one without a record is unbilled',
    )
    .option(
      '--statement <file>',
      'account statement of the period (YAML or CSV), to be held against the bill',
    )
    .option(
      '--gate <severity[:usd[:classes]]>',
      'what makes exit 5 in this verdict, such as S2 or S3:0.01 or S3:0:duplicate_charge',
    )
    .option('--min-checked <share>', 'share of the charged money that must be checked in this verdict')
    .option(
      '--memory <size>',
      'memory that the audit of a large ledger may take, such as 2GB (the default); 0 judges every row by itself',
    )
    .option('--config <file>', 'configuration: settle, tolerances, billing')
    .option('--out <dir>', 'parent of the run folders', DEFAULT_OUT)
    .option('--state <dir>', 'parent of what outlives a run, one folder a target', DEFAULT_STATE)
    .option('--json', 'last line of stdout for programs');
}

/** A column each, so that ten records stand side by side. */
function previewLines({ shown, records, left, torn }: RecordsPreview): string[] {
  const rows = RECORD_COLUMNS.map((name) => [name, ...shown.map((record) => String(record[name] ?? '–'))]);
  return [
    ...alignedRows(rows, () => true),
    `${records} records are understood; the first ${shown.length} are shown`,
    ...leftOutWords(left),
    ...torn,
  ];
}

/** The choices are for help and shells; what else is given is told with its code where it is read. */
function asGiven(text: string): string {
  return text;
}

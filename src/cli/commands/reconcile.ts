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
  'Check the bill of a run, of a past month, or of calls that another program made. Sends no paid call.';

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
      'check every run whose follow-up after 1 h or 25 h is due; for timers; --target selects its runs',
    )
    .option(
      '--ledger <path...>',
      'run folder and ledger folders of further instances; or files of calls that another program made',
    )
    .addOption(
      new Option('--ledger-format <name>', 'format of these files')
        .choices([...LEDGER_FORMATS])
        .argParser(asGiven),
    )
    .option('--columns <file>', 'file that maps the columns of a CSV file of calls (YAML)')
    .option(
      '--month <YYYY-MM|last>',
      'audit a past month (UTC) from its usage records alone; last means the previous month',
    )
    .option(
      '--from <time>',
      'start of the period to audit, such as 2026-10-01 or 2026-10-01T12:00Z; needs --to',
    )
    .option('--to <time>', 'end of the period, which is not part of it')
    .option('--target <url>', 'gateway whose bill is audited; its address may end in /v1 or /api')
    .option('--key-file <file...>', 'file with an API key; give one file for each key')
    .option(
      '--records <url|file...>',
      'read usage records from files (NDJSON, JSON, CSV, Parquet) or from this address, instead of the target',
    )
    .option(
      '--records-mapping <name|file>',
      `how the files of another program are usage records (YAML): ${RECORD_MAPPINGS.names.join(', ')}, or a file of yours`,
    )
    .option('--preview', 'show how ten rows of --records or --bill are read, and judge nothing')
    .option('--by <group>', 'with --records-mapping: show the money for each key, team or tag')
    .option('--keep-raw', 'copy the files of other programs to the run folder, and list their fields')
    .option('--pricebook <url|file>', 'read the price list from this file or address, instead of the target')
    .option(
      '--upstream <file>',
      'file of what the gateway bought: usage records, rows of another program, a ledger or a journal',
    )
    .option('--upstream-mapping <name|file>', 'how its rows are usage records, as with --records-mapping')
    .option('--upstream-pricebook <file>', 'price list of the provider, needed if --upstream is a ledger')
    .option(
      '--upstream-model <sold=bought...>',
      'name of a sold model and of the model that is bought for it',
    )
    .option(
      '--upstream-whole',
      'every call in --upstream was sold, so a call without a usage record counts as unbilled',
    )
    .option('--statement <file>', 'account statement of the period (YAML or CSV), to compare with the bill')
    .option(
      '--gate <severity[:usd[:classes]]>',
      'findings that give exit code 5, such as S2, S3:0.01 or S3:0:duplicate_charge',
    )
    .option('--min-checked <share>', 'share of the charged money that must be checked, such as 0.9')
    .option(
      '--memory <size>',
      'memory for the audit of many calls, such as 2GB (the default); 0 checks every row one by one',
    )
    .option('--config <file>', 'configuration file; uses settle, tolerances and billing')
    .option('--out <dir>', 'folder that contains the run folders', DEFAULT_OUT)
    .option(
      '--state <dir>',
      'folder for data that is kept between runs, one subfolder for each target',
      DEFAULT_STATE,
    )
    .option('--json', 'print the result as one JSON line');
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

import { type Command, InvalidArgumentError, Option } from 'commander';
import { writeBundle } from '../../app/carry-over/write-bundle.ts';
import { compareRuns } from '../../app/compare/compare-runs.ts';
import { askedBaseline, type BaselineFlags, holdBaseline } from '../../app/compare/hold-baseline.ts';
import { storeAssumed } from '../../app/folder/assumed-file.ts';
import { BASELINE_FILE } from '../../app/folder/run-files.ts';
import { DEFAULT_OUT, findJudgedFolder } from '../../app/folder/run-folder.ts';
import { storeStatement } from '../../app/folder/statement-file.ts';
import { writeListedReport } from '../../app/history/runs-index.ts';
import { judgeFolder } from '../../app/judge/judge-folder.ts';
import { storeListPrices } from '../../app/judge/list-prices.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import { comparisonText } from '../../report/comparison/run-comparison.ts';
import { FORMATS, type Format, writeFormats } from '../../report/files/write-formats.ts';
import { FOCUS_VERSION, type FocusBilling } from '../../report/focus/focus-columns.ts';
import { type AssumeFlag, assumeOption } from '../flags/assume-flag.ts';
import { baselineOptions } from '../flags/baseline-flags.ts';
import { printAnswer, printVerdict } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ReportFlags extends BaselineFlags, AssumeFlag {
  readonly run?: string;
  readonly out: string;
  readonly format?: readonly Format[];
  readonly focusBilling: FocusBilling;
  readonly statement?: string;
  readonly listPrices?: string;
  readonly compare?: readonly string[];
  readonly bundle?: string | true;
  readonly dryRun?: boolean;
  readonly state: string;
  readonly json?: boolean;
}

export function reportCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  assumeOption(baselineOptions(program.command('report')))
    .description('Write the report of a finished run again, compare runs, or make a bundle for a refund.')
    .option(
      '--run <id>',
      'id of a run, or of the audit of a period or ledger (default: the newest under --out)',
    )
    .option('--out <dir>', 'folder that contains the run folders', DEFAULT_OUT)
    // Choices are for help and shells; several come by commas, which only the parser knows.
    .addOption(
      new Option('--format <names>', 'further files to write, separated by commas')
        .choices(formatNames())
        .argParser(formatsOf),
    )
    .addOption(
      new Option('--focus <version>', 'FOCUS version of focus.csv')
        .choices([FOCUS_VERSION])
        .argParser(either(FOCUS_VERSION))
        .default(FOCUS_VERSION),
    )
    .addOption(
      new Option(
        '--focus-billing <usage|drawdown>',
        'usage bills each charge; drawdown bills 0, since the credit was prepaid',
      )
        .choices(['usage', 'drawdown'])
        .argParser(either<FocusBilling>('usage', 'drawdown'))
        .default('usage'),
    )
    .option('--statement <file>', 'account statement of the period (YAML or CSV), to compare with the bill')
    .option('--list-prices <file>', 'price list of a vendor, to show the markup')
    .option(
      '--compare <runs...>',
      'compare runs with the first one, and show which differences may be chance',
    )
    .option(
      '--bundle [file]',
      'write a zip for the support of the gateway that asks for certain overcharges back (default: in the run folder)',
    )
    .option('--dry-run', 'with --bundle: show what the bundle would contain, and write nothing')
    .option('--state <dir>', 'with --bundle: folder for claims, one subfolder for each target', DEFAULT_STATE)
    .option('--json', 'print the result as one JSON line')
    .action(async (flags: ReportFlags) => {
      if (flags.compare !== undefined) {
        const { comparisons, page } = await compareRuns(flags.compare, flags.out);
        const answer = { schema: 'weighbridge.comparison/1', comparisons, page };
        printAnswer(terminal, flags.json, answer, () => comparisons.flatMap(comparisonText));
        if (flags.json !== true) terminal.err(page);
        return finish(EXIT.ok);
      }
      const asked = askedBaseline(flags, flags.out);
      if (flags.dryRun === true && flags.bundle === undefined) throw dryRunAlone();
      const runDir = findJudgedFolder(flags.out, flags.run);
      if (flags.statement !== undefined) storeStatement(runDir, flags.statement);
      storeAssumed(runDir, flags.assumeReading ?? []);
      if (flags.listPrices !== undefined) storeListPrices(runDir, flags.listPrices);
      // The tables of rows hold every row.
      if (asked !== null) BASELINE_FILE.remove(runDir);
      const folder = await judgeFolder(runDir, flags.format === undefined ? {} : { memory_bytes: 0 });
      const judged = asked === null ? folder : await holdBaseline(runDir, folder, asked, terminal);
      const report = writeListedReport(runDir, judged, flags.out);
      const written = await writeFormats(
        runDir,
        { result: report.result, reconciliation: judged.reconciliation },
        { formats: flags.format ?? [], focusBilling: flags.focusBilling },
      );
      for (const line of [...written.paths, ...written.notes]) terminal.err(line);
      const { bundle: file, state, dryRun = false } = flags;
      const bundle =
        file === undefined
          ? undefined
          : await writeBundle(
              runDir,
              judged,
              report.result,
              { file: file === true ? null : file, state, dryRun },
              terminal,
            );
      finish(printVerdict(terminal, report, flags.json === true, bundle));
    });
}

function dryRunAlone(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'flag_alone',
    message: '--dry-run needs --bundle. No report was written.',
    hint: 'Give --bundle --dry-run.',
  });
}

function formatNames(): readonly string[] {
  return Object.keys(FORMATS);
}

function isFormat(name: string): name is Format {
  return Object.hasOwn(FORMATS, name);
}

function formatsOf(text: string): readonly Format[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !isFormat(name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(
      `expected some of ${formatNames().join(', ')}, found ${unknown || 'none'}`,
    );
  }
  return [...new Set(names.filter(isFormat))];
}

/** Takes one of the words. */
function either<Word extends string>(...words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`expected ${words.join(' or ')}, found ${text}`);
  };
}

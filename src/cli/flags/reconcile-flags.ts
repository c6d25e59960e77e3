import { type Command, Option } from 'commander';
import { LEDGER_FORMATS } from '../../app/folder/keep-evidence.ts';
import { DEFAULT_OUT } from '../../app/folder/run-folder.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';

export function reconcileOptions(command: Command): Command {
  return command
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
    .option('--key-file <file...>', 'file with an API key (without a run); one for each key')
    .option(
      '--records <url|file...>',
      'usage records from files (NDJSON, JSON, CSV, Parquet), or of another address, in place of those of the target',
    )
    .option('--pricebook <url|file>', 'price book from a file or address, in place of that of the target')
    .option(
      '--upstream-journal <file>',
      'journal of an embedded gateway that stood behind the target of the run',
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

/** The choices are for help and shells; what else is given is told with its code where it is read. */
function asGiven(text: string): string {
  return text;
}

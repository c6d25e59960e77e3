import { type Command, InvalidArgumentError } from 'commander';
import { DEFAULT_OUT } from '../../app/folder/run-folder.ts';
import { type KeptRun, keptRuns } from '../../app/history/kept-runs.ts';
import { writeScheduledMetrics } from '../../app/history/note-scheduled-run.ts';
import { type PruneRequest, pruneRuns } from '../../app/history/prune-runs.ts';
import { parseDuration } from '../../config/duration.ts';
import { EXIT, exitStatus } from '../../contracts/exit-code.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import { formatInstant } from '../../core/time.ts';
import { ABSENT, signedUsd, usd } from '../../report/words/figure-text.ts';
import { alignedRows } from '../../text/aligned-rows.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface HistoryFlags {
  readonly out: string;
  readonly state: string;
  readonly metricsFile?: string;
  readonly json?: boolean;
}

interface PruneFlags extends PruneRequest {
  readonly json?: boolean;
}

export function historyCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  const history = program
    .command('history')
    // Scripts may still use its first name.
    .alias('reports')
    .description('List the stored runs with time, target, exit status, money and verdict.')
    .option('--out <dir>', 'folder that contains the run folders', DEFAULT_OUT)
    .option(
      '--state <dir>',
      'folder for data that is kept between runs, one subfolder for each target',
      DEFAULT_STATE,
    )
    .option(
      '--metrics-file <path>',
      'also write the last scheduled run of each target to this .prom file, for a textfile collector',
    )
    .option('--json', 'print one JSON line')
    .action((flags: HistoryFlags) => {
      const runs = keptRuns(flags.out);
      if (flags.metricsFile !== undefined) writeScheduledMetrics(flags.metricsFile, flags.state);
      printAnswer(terminal, flags.json, { runs: runs.map(listed) }, () => runLines(runs));
      finish(EXIT.ok);
    });
  history
    .command('prune')
    .description(
      'Remove the folders of old runs. Runs that a claim, an open charge or a baseline needs are kept.',
    )
    .option('--out <dir>', 'folder that contains the run folders', DEFAULT_OUT)
    .option(
      '--state <dir>',
      'folder for data that is kept between runs, one subfolder for each target',
      DEFAULT_STATE,
    )
    .option('--keep <n>', 'newest runs of each target that stay', wholeNumber)
    .option('--older-than <time>', 'and only those that began longer ago, such as 90d or 12h', age)
    .option('--dry-run', 'say what would be removed, and remove nothing')
    .option('--json', 'print one JSON line')
    .action(async (_flags: PruneFlags, command: Command) =>
      // `--out`, `--state` and `--json` stand at the parent as well, which may have taken them.
      finish(await prune(command.optsWithGlobals<PruneFlags>(), terminal)),
    );
}

const HEAD = ['run', 'began (UTC)', 'target', 'exit', 'charged', 'certainly over', 'verdict'] as const;

/** The runs as a table, in their order. */
function runLines(runs: readonly KeptRun[]): readonly string[] {
  if (runs.length === 0) return ['no run is kept'];
  return alignedRows([HEAD, ...runs.map(cellsOf)], () => true);
}

function cellsOf({ id, began_ms, target, verdict }: KeptRun): readonly string[] {
  const words = verdict === null ? 'no verdict' : (verdict.exits[0]?.why ?? 'nothing stands against it');
  return [
    id,
    formatInstant(began_ms).slice(0, 16).replace('T', ' '),
    target.name,
    String(statusOf(verdict) ?? ABSENT),
    usd(verdict?.money?.charged ?? null),
    signedUsd(verdict?.money?.certain_over ?? null),
    words.replaceAll(/\s+/g, ' '),
  ];
}

/** Null without a verdict. */
function statusOf(verdict: KeptRun['verdict']): number | null {
  return verdict === null ? null : exitStatus(verdict.exits.map(({ code }) => code));
}

function listed({ id, dir, command, began_ms, target, verdict }: KeptRun) {
  return {
    run_id: id,
    dir,
    command,
    began_at: formatInstant(began_ms),
    target: target.name,
    root: target.root,
    exit_codes: verdict?.exits.map(({ code }) => code) ?? null,
    exit_status: statusOf(verdict),
    verdict: verdict?.exits[0]?.why ?? null,
    money: verdict?.money ?? null,
  };
}

async function prune({ json = false, ...asked }: PruneFlags, terminal: Terminal): Promise<number> {
  const pruned = await pruneRuns(asked, json ? terminal.err : terminal.out);
  if (json) terminal.out(JSON.stringify(pruned));
  return EXIT.ok;
}

function wholeNumber(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`expected a whole number, found ${text}`);
}

const DAY_MS = 86_400_000;

function age(text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const ms = days === undefined ? parseDuration(text) : Number(days) * DAY_MS;
  if (ms !== null) return ms;
  throw new InvalidArgumentError(`expected a time such as 90d or 12h, found ${text}`);
}

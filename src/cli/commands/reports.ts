import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { holdFolder } from '../../app/folder/locks.ts';
import { DEFAULT_OUT } from '../../app/folder/run-folder.ts';
import { type KeptRun, keptRuns } from '../../app/history/kept-runs.ts';
import { claimedByState, prunePlan } from '../../app/history/prune-runs.ts';
import { refreshIndex } from '../../app/history/runs-index.ts';
import { writeScheduledMetrics } from '../../app/history/scheduled-metrics.ts';
import { parseDuration } from '../../config/duration.ts';
import { EXIT, exitStatus } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import { formatInstant } from '../../core/time.ts';
import { ABSENT, signedUsd, usd } from '../../report/words/figure-text.ts';
import { targetFolder } from '../../state/target-folder.ts';
import { alignedRows } from '../../text/aligned-rows.ts';
import { plural } from '../../text/plural.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ReportsFlags {
  readonly out: string;
  readonly state: string;
  readonly metricsFile?: string;
  readonly json?: boolean;
}

interface PruneFlags {
  readonly out: string;
  readonly state: string;
  readonly keep?: number;
  readonly olderThan?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function reportsCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  const reports = program
    .command('reports')
    .description('list the runs that are kept: when, target, exit status, money, verdict')
    .option('--out <dir>', 'parent of the run folders', DEFAULT_OUT)
    .option('--state <dir>', 'parent of what outlives a run, one folder a target', DEFAULT_STATE)
    .option(
      '--metrics-file <path>',
      'also write the last scheduled run of each target there, for a textfile collector (a name that ends with .prom)',
    )
    .option('--json', 'one line for programs')
    .action((flags: ReportsFlags) => {
      const runs = keptRuns(flags.out);
      if (flags.metricsFile !== undefined) writeScheduledMetrics(flags.metricsFile, flags.state);
      printAnswer(terminal, flags.json, { runs: runs.map(listed) }, () => runLines(runs));
      finish(EXIT.ok);
    });
  reports
    .command('prune')
    .description('remove the folders of old runs; never one that a claim, an open charge or a baseline needs')
    .option('--out <dir>', 'parent of the run folders', DEFAULT_OUT)
    .option('--state <dir>', 'parent of what outlives a run, one folder a target', DEFAULT_STATE)
    .option('--keep <n>', 'newest runs of each target that stay', wholeNumber)
    .option('--older-than <time>', 'and only those that began longer ago, such as 90d or 12h', age)
    .option('--dry-run', 'say what would be removed, and remove nothing')
    .option('--json', 'one line for programs')
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

async function prune(flags: PruneFlags, terminal: Terminal): Promise<number> {
  const { out, state, keep = null, olderThan = null, dryRun = false, json = false } = flags;
  if (keep === null && olderThan === null) throw nothingAsked();
  const runs = keptRuns(out);
  const claimed = new Map<string, string>();
  for (const root of new Set(runs.map(({ target }) => target.root)))
    for (const [id, why] of await claimedByState(targetFolder(state, { root }))) claimed.set(id, why);
  const plan = prunePlan(runs, { keep, older_than_ms: olderThan, now_ms: Date.now() }, claimed);
  const say = json ? terminal.err : terminal.out;
  for (const { run, why } of plan.needed) say(`${run.id} stays: ${why}`);
  let freed = 0;
  const gone: string[] = [];
  for (const { id, dir } of plan.gone) {
    const bytes = bytesUnder(dir);
    if (!dryRun) {
      const held = await removed(dir);
      if (held !== null) {
        say(`${id} stays: ${held}`);
        continue;
      }
    }
    say(`${id} ${dryRun ? 'would go' : 'is removed'}: ${megabytes(bytes)}`);
    freed += bytes;
    gone.push(id);
  }
  const [first] = plan.gone;
  if (!dryRun && first !== undefined) refreshIndex(first.dir);
  const left = plural(runs.length - gone.length, 'run');
  say(
    `${plural(gone.length, 'run')}, ${megabytes(freed)} ${dryRun ? 'would be freed' : 'freed'}; ${left} left`,
  );
  if (json) terminal.out(JSON.stringify({ dry_run: dryRun, removed: gone, freed_bytes: freed }));
  return EXIT.ok;
}

/** Null where it is gone; else who reads or writes it. */
async function removed(dir: string): Promise<string | null> {
  try {
    await holdFolder(dir, async () => rmSync(dir, { recursive: true }));
    return null;
  } catch (error) {
    if (error instanceof WeighbridgeError && error.code === 'run_locked') return error.message;
    throw error;
  }
}

function bytesUnder(dir: string): number {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function nothingAsked(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'prune_unbounded',
    message: 'expected --keep or --older-than, found neither; nothing was removed',
    hint: 'for example --keep 30 --older-than 90d; --dry-run shows what would go',
  });
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

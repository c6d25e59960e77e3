import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { TargetBudget } from '../../state/budget/target-budget.ts';
import { BUDGET_FILE, targetFolder } from '../../state/target-folder.ts';
import { plural } from '../../text/plural.ts';
import { readClaims } from '../carry-over/claims-file.ts';
import { holdFolder } from '../folder/locks.ts';
import { openRuns } from '../folder/suspense-file.ts';
import { reservedRun } from '../spend/run-budget.ts';
import { isSameTarget, type KeptRun, keptRuns, lastGood } from './kept-runs.ts';
import { refreshIndex } from './runs-index.ts';

/** What `history prune` was asked for. */
export interface PruneRequest {
  readonly out: string;
  readonly state: string;
  readonly keep?: number;
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly dryRun?: boolean;
}

export interface Pruned {
  readonly dry_run: boolean;
  /** Ids of runs. */
  readonly removed: readonly string[];
  readonly freed_bytes: number;
}

/** Removes the folders of old runs that nothing needs. Throws `prune_unbounded` (exit 2). */
export async function pruneRuns(request: PruneRequest, say: (line: string) => void): Promise<Pruned> {
  const { out, state, keep = null, olderThan = null, dryRun = false } = request;
  if (keep === null && olderThan === null) throw nothingAsked();
  const runs = keptRuns(out);
  const claimed = new Map<string, string>();
  for (const root of new Set(runs.map(({ target }) => target.root)))
    for (const [id, why] of await claimedByState(targetFolder(state, { root }))) claimed.set(id, why);
  const plan = prunePlan(runs, { keep, older_than_ms: olderThan, now_ms: Date.now() }, claimed);
  for (const { run, why } of plan.needed) say(`${run.id} is kept: ${why}`);
  let freed = 0;
  const gone: string[] = [];
  for (const { id, dir } of plan.gone) {
    const bytes = bytesUnder(dir);
    if (!dryRun) {
      const held = await removed(dir);
      if (held !== null) {
        say(`${id} is kept: ${held}`);
        continue;
      }
    }
    say(`${id} ${dryRun ? 'would be removed' : 'is removed'}: ${megabytes(bytes)}`);
    freed += bytes;
    gone.push(id);
  }
  const [first] = plan.gone;
  if (!dryRun && first !== undefined) refreshIndex(first.dir);
  const left = plural(runs.length - gone.length, 'run');
  say(
    `${plural(gone.length, 'run')}, ${megabytes(freed)} ${dryRun ? 'would be freed' : 'freed'}; ${left} left`,
  );
  return { dry_run: dryRun, removed: gone, freed_bytes: freed };
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
    message: 'Pruning needs --keep or --older-than. Nothing was removed.',
    hint: 'Give for example --keep 30 --older-than 90d. --dry-run shows what would be removed.',
  });
}

/** Where both are given, a run goes that is beyond the newest ones and older as well. */
export interface PruneTerms {
  /** Newest runs of each target that stay. */
  readonly keep: number | null;
  readonly older_than_ms: number | null;
  readonly now_ms: number;
}

export interface PrunePlan {
  readonly gone: readonly KeptRun[];
  /** Old enough to go, and why each must stay. */
  readonly needed: readonly { readonly run: KeptRun; readonly why: string }[];
}

/** Which of the runs (the newest first) are to go. */
export function prunePlan(runs: readonly KeptRun[], terms: PruneTerms, claimed: StillNeeded): PrunePlan {
  const old = runs.filter((run) => isOld(run, runs, terms));
  const whyNeeded = (run: KeptRun): string | null =>
    claimed.get(run.id) ?? (lastGood(runs, run) === run ? 'it is the last good run of its plan' : null);
  return {
    gone: old.filter((run) => whyNeeded(run) === null),
    needed: old.flatMap((run) => {
      const why = whyNeeded(run);
      return why === null ? [] : [{ run, why }];
    }),
  };
}

function isOld(run: KeptRun, runs: readonly KeptRun[], { keep, older_than_ms, now_ms }: PruneTerms): boolean {
  const rank = runs.filter((other) => isSameTarget(other.target, run.target)).indexOf(run);
  return (
    (keep !== null || older_than_ms !== null) &&
    (keep === null || rank >= keep) &&
    (older_than_ms === null || now_ms - run.began_ms > older_than_ms)
  );
}

/** Why each run whose folder is still needed must stay, by its id. */
type StillNeeded = ReadonlyMap<string, string>;

/** What the state of a target still wants of the folders of its runs. Throws where a file of it cannot be read. */
async function claimedByState(targetDir: string): Promise<StillNeeded> {
  const needed = new Map<string, string>();
  // Whatever became of a claim: what it rests on is the folder of its run.
  for (const { run_id } of readClaims(targetDir))
    if (run_id !== null) needed.set(run_id, 'a claim rests on it');
  for (const id of openRuns(targetDir)) needed.set(id, 'it has charges that are still open');
  const file = join(targetDir, BUDGET_FILE);
  if (!existsSync(file)) return needed;
  const budget = await TargetBudget.open(file, null, { now_ms: Date.now });
  for (const { id } of budget.open()) {
    const run = reservedRun(id);
    if (run !== null) needed.set(run, 'its budget is not settled: `weighbridge reconcile --run` does that');
  }
  return needed;
}

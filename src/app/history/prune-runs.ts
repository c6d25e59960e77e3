import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TargetBudget } from '../../state/budget/target-budget.ts';
import { BUDGET_FILE } from '../../state/target-folder.ts';
import { readClaims } from '../carry-over/claims-file.ts';
import { openRuns } from '../folder/suspense-file.ts';
import { reservedRun } from '../spend/run-budget.ts';
import { isSameTarget, type KeptRun, lastGood } from './kept-runs.ts';

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
export async function claimedByState(targetDir: string): Promise<StillNeeded> {
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

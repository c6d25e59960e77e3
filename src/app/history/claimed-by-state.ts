import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TargetBudget } from '../../state/budget/target-budget.ts';
import { BUDGET_FILE } from '../../state/target-folder.ts';
import { readClaims } from '../carry-over/claims-file.ts';
import { openRuns } from '../folder/suspense-file.ts';
import { reservedRun } from '../spend/run-budget.ts';

/** Why each run whose folder is still needed must stay, by its id. */
export type StillNeeded = ReadonlyMap<string, string>;

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

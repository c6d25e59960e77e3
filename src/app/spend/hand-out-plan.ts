import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { type Plan, promptsBeside } from '../../contracts/plan.ts';
import type { ResolvedPlan } from '../../plan/resolve-plan.ts';
import { makeFolder, storeReplay } from '../folder/run-folder.ts';
import { type RunBudget, reserveRun } from './run-budget.ts';

/**
 * Writes a plan for k6 that others start, and beside it the starts that it replays. One for several k6 gets its prompts
 * beside it too, and its whole cap is taken of the budget: nobody sees here what they send until their ledgers are judged.
 * Throws `plan_not_written`, and what `reserveRun` throws; then no plan is there.
 */
export async function handOutPlan(
  path: string,
  { plan, replay }: Pick<ResolvedPlan, 'plan' | 'replay'>,
  budget: RunBudget,
): Promise<void> {
  const folder = dirname(resolve(path));
  makeFolder(folder);
  writePlan(path, plan);
  if (replay !== null) storeReplay(folder, replay);
  if (plan.instances === undefined) return;
  for (const { text } of plan.workload.scenarios) {
    const prompts = text?.prompts ?? null;
    if (prompts !== null) copyFileSync(prompts.path, join(folder, promptsBeside(prompts)));
  }
  await reserveRun(budget, plan).catch((error: unknown) => {
    rmSync(path);
    throw error;
  });
}

/** On one line: a plan with tables of sizes is a quarter of what it is indented. */
function writePlan(path: string, plan: Plan): void {
  try {
    writeFileSync(path, `${JSON.stringify(plan)}\n`);
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'plan_not_written',
      message: `The plan could not be written to the path of --out: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: 'Name a file such as plan.json in a folder that you can write to.',
      cause,
    });
  }
}

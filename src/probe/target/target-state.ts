import { join } from 'node:path';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import { isPaidKind } from '../../core/call-kind.ts';
import { TargetBudget } from '../../state/budget/target-budget.ts';
import { BUDGET_FILE, targetFolder } from '../../state/target-folder.ts';
import { TaskJournal } from '../tasks/task-journal.ts';
import type { DaemonMeans } from './daemon-means.ts';

/** `<state>/<target>`, and in it `probe`, the daemon's own, beside what other commands keep too. */
export function foldersOf({ plan }: Pick<DaemonMeans, 'plan'>, target: ProbeTarget) {
  const { bases, folder } = target;
  const all = targetFolder(plan.state_dir, { root: bases.root, folder });
  return { all, own: join(all, 'probe'), archive: join(all, 'archive'), budget: join(all, BUDGET_FILE) };
}

/** What of a target outlives the daemon; its locks keep every other daemon away. */
export interface TargetState {
  readonly budget: TargetBudget | null;
  readonly tasks: TaskJournal | null;
}

export const NO_STATE: TargetState = { budget: null, tasks: null };

/** Opened where something is paid. Throws `state_in_use`, `state_corrupt` and `state_unwritable`. */
export async function openState(means: DaemonMeans, target: ProbeTarget): Promise<TargetState> {
  if (target.budget === null || !target.probes.some(({ api }) => isPaidKind(api))) return NO_STATE;
  const { own: dir, budget: file } = foldersOf(means, target);
  const writeFailed = (error: Error): void => {
    means.metrics.inc('weighbridge_state_write_failures_total', {});
    means.log.error('state not written', error, { target: target.name });
  };
  const budget = await TargetBudget.open(file, target.budget, means.clock, {
    writeFailed,
  });
  try {
    return { budget, tasks: await TaskJournal.open(join(dir, 'tasks.ndjson'), { writeFailed }) };
  } catch (error) {
    await budget.close();
    throw error;
  }
}

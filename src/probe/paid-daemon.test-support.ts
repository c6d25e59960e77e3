import { TargetBudget } from '../state/budget/target-budget.ts';
import type { StateDisk } from '../state/state-disk.ts';
import { TaskJournal } from './tasks/task-journal.ts';
import type { TaskIntent } from './tasks/task-line.ts';

const WORST = 40n;
const COST = 15n;
/** Reached by twenty runs: one forgotten reservation is then too much. */
export const LIMITS = { hour: 300n, day: 300n, month: 300n };
const NOW = Date.UTC(2027, 0, 15, 10, 30);
const RUNS = Array.from({ length: 20 }, (_, n) => `main/video/${n}`);

/** The world outside, which outlives the daemon: what it was told cannot be taken back. */
export interface Outside {
  /** A request that creates a paid task; its id. */
  create(id: string): Promise<string>;
  told(event: 'opened' | 'reserved' | 'intended' | 'accepted' | 'lost' | 'ended', id: string): Promise<void>;
}

/** A life of a daemon: it takes up what the last one left, then makes all planned runs, some of them once more. */
export async function liveOnce(folder: string, outside: Outside, disk?: StateDisk): Promise<TargetBudget> {
  const options = { compacted_lines: 8, ...(disk === undefined ? {} : { disk }) };
  const budget = await TargetBudget.open(`${folder}/budget.ndjson`, LIMITS, { now_ms: () => NOW }, options);
  const tasks = await TaskJournal.open(`${folder}/tasks.ndjson`, options);
  await outside.told('opened', '');
  for (const { id } of tasks.lost()) {
    await outside.told('lost', id);
    await tasks.closed(id, 'lost');
  }
  for (const { id } of tasks.open()) await end(id);
  for (const id of RUNS) {
    if (!(await budget.reserve(id, WORST))) continue;
    await outside.told('reserved', id);
    if (!(await isIntended(tasks, id))) {
      // It had its task; nothing was sent for this reservation.
      await budget.settle(id, 0n);
      continue;
    }
    await outside.told('intended', id);
    const task_id = await outside.create(id);
    const named = { call_id: `a/${id}/0`, logical_id: id, scenario: 'video' };
    await tasks.accepted(id, { task_id, ...named, accepted_ms: NOW });
    await outside.told('accepted', id);
    await end(id);
  }
  await tasks.close();
  await budget.close();
  return budget;

  async function end(id: string): Promise<void> {
    // Told first: a task whose end is written down is not looked at again.
    await outside.told('ended', id);
    await tasks.closed(id, 'completed');
    await budget.settle(id, COST);
  }
}

async function isIntended(tasks: TaskJournal, id: string): Promise<boolean> {
  const task: TaskIntent = {
    id,
    target: 'main',
    probe: 'video',
    api: 'video',
    model: 'lumen-video',
    intended_ms: NOW,
    deadline_ms: NOW + 900_000,
    size: null,
    quality: null,
    seconds: 5,
  };
  try {
    await tasks.intend(task);
    return true;
  } catch {
    return false;
  }
}

/** What the world saw of all lives. */
export class Witness {
  readonly created: string[] = [];
  readonly accepted = new Set<string>();
  readonly ended = new Set<string>();
  readonly lost = new Set<string>();

  see(event: string, id: string): void {
    if (event === 'create') this.created.push(id);
    if (event === 'accepted') this.accepted.add(id);
    if (event === 'ended') this.ended.add(id);
    if (event === 'lost') this.lost.add(id);
  }

  /** What the runs may have cost at most. */
  most(): bigint {
    return this.created.reduce((sum, id) => sum + (this.ended.has(id) ? COST : WORST), 0n);
  }
}

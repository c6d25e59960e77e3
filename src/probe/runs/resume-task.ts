import type { OpenTask as CalledTask } from '../../client/paid/paid-call.ts';
import type { Probe } from '../../contracts/probe-plan.ts';
import { runCost } from '../forecast/run-cost.ts';
import type { UnfinishedTask } from '../tasks/task-line.ts';
import { followTask } from './follow-task.ts';
import { timeoutsOf } from './paid-run.ts';
import type { RunStart } from './report-run.ts';
import type { RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

/** Follows a task that an earlier process created. `probe` is the one of its name now, or one that stands for it. */
export async function resumeTask(
  means: TargetMeans,
  probe: Probe,
  task: UnfinishedTask,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const row = await means.submitted.read(task.id);
  const book = await means.book.inForce();
  const cost = book === null ? null : runCost(book, probe);
  return followTask(
    means,
    { target: means.target(), probe },
    {
      task,
      open: calledTask(means, probe, task),
      submitted: row === null ? null : { row },
      reserved: book === null ? null : { id: task.id, worst: cost?.worst ?? 0n, book },
      start: startedBefore(means, task),
    },
    signal,
  );
}

/** By the wall clock, which alone both processes have: one that was set back since makes it begin now. */
function startedBefore({ clock }: TargetMeans, { intended_ms }: UnfinishedTask): RunStart {
  const ago_ms = Math.max(0, clock.now_ms() - intended_ms);
  return { wall_ms: intended_ms, mono_ms: clock.mono_ms() - ago_ms };
}

export function calledTask(
  { clock }: TargetMeans,
  probe: Pick<Probe, 'timeout_ms'>,
  task: UnfinishedTask,
): CalledTask {
  const { api, task_id, model, call_id, logical_id, scenario, accepted_ms } = task;
  // Reads are numbered: never fewer than 100 ms lie between two, so no number of the process before is given again.
  const reads = Math.max(0, Math.floor((clock.now_ms() - accepted_ms) / 100)) + 1;
  const { timeout_ms } = probe;
  const timeouts = timeoutsOf({ timeout_ms });
  return { kind: api, id: task_id, model, call_id, logical_id, scenario, timeouts, status: null, reads };
}

/** For a task whose probe the configuration no longer has: it is followed, and told in no metric. */
export function probeOfTask(task: UnfinishedTask): Probe {
  const { probe: name, api, model, size, quality, seconds } = task;
  return {
    name,
    api,
    model,
    stream: false,
    interval_ms: 0,
    timeout_ms: 60_000,
    max_tokens: null,
    prompt: '',
    size,
    quality,
    seconds,
    task_timeout_ms: null,
    negative: null,
  };
}

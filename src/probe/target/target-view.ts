import type { Probe, ProbeTarget } from '../../contracts/probe-plan.ts';
import { byPeriod } from '../../core/budget-period.ts';
import { labelsOf } from '../observe/run-labels.ts';
import { resumeTask } from '../runs/resume-task.ts';
import type { RunOutcome } from '../runs/run-outcome.ts';
import type { TargetMeans } from '../runs/target-means.ts';
import type { TaskJournal } from '../tasks/task-journal.ts';
import type { UnfinishedTask } from '../tasks/task-line.ts';
import type { TargetView } from '../view/daemon-view.ts';
import type { TargetWatch } from '../watch/target-watch.ts';
import type { DaemonMeans } from './daemon-means.ts';
import type { RunHistory } from './run-history.ts';
import type { TargetState } from './target-state.ts';

interface Seen extends TargetState {
  readonly history: RunHistory;
  readonly watch: TargetWatch | null;
  readonly now_ms: number;
}

/** A target as pages show it. */
export function targetView(target: ProbeTarget, { budget, tasks, history, watch, now_ms }: Seen): TargetView {
  const { name, bases, probes } = target;
  const spent = budget?.spent() ?? null;
  const limits = target.budget;
  return {
    name,
    root: bases.root,
    probes: probes.map((probe) => history.view(name, probe, now_ms)),
    budget:
      spent === null || limits === null
        ? null
        : byPeriod((period) => ({ spent: spent[period], limit: limits[period] })),
    tasks_open: (tasks?.open() ?? []).map(({ probe, api, task_id, accepted_ms }) => ({
      probe,
      api,
      id: task_id,
      created_ms: accepted_ms,
      status: 'open',
    })),
    credit_units: null,
    audit: null,
    ...watch?.view(),
  };
}

/** Tasks that the last process left to be followed. Those without an id are told as lost: they may have been paid. */
export async function tasksLeft(
  { log, metrics }: Pick<DaemonMeans, 'log' | 'metrics'>,
  target: Pick<ProbeTarget, 'name' | 'probes'>,
  tasks: TaskJournal | null,
): Promise<readonly UnfinishedTask[]> {
  for (const { id, probe } of tasks?.lost() ?? []) {
    log.warn('task lost: the daemon ended before the gateway named it', { target: target.name, id });
    const known = target.probes.find(({ name }) => name === probe);
    if (known !== undefined) {
      const { stream: _, ...at } = labelsOf(target.name, known);
      metrics.inc('weighbridge_probe_tasks_total', { ...at, final: 'lost' });
    }
    await tasks?.closed(id, 'lost');
  }
  return tasks?.open() ?? [];
}

interface LeftTask {
  readonly task: UnfinishedTask;
  readonly probe: Probe;
  readonly inPlan: boolean;
}

/** Follows one of them; null after a fault of ours, which is in the log: the task stays open for the next process. */
export async function followLeft(
  { log, metrics }: DaemonMeans,
  means: TargetMeans,
  { task, probe, inPlan }: LeftTask,
  signal: AbortSignal,
): Promise<RunOutcome | null> {
  const target = means.target().name;
  log.info('task resumed', { target, probe: probe.name, task: task.task_id });
  if (inPlan)
    metrics.inc('weighbridge_probe_tasks_resumed_total', { target, probe: probe.name, api: probe.api });
  try {
    return await resumeTask(means, probe, task, signal);
  } catch (error) {
    log.error('a resumed task was not followed to its end', error, { target });
    return null;
  }
}

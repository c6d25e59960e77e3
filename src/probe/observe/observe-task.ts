import { TASK_STAGES, TASK_STATES, yesNo } from '../../contracts/metrics/label-values.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import { labelsOf, type ObservedRun } from './run-labels.ts';

type TaskState = (typeof TASK_STATES)[number];

/** Group C: the stages of a task that is over, and the size of what was fetched. */
export function observeTask(metrics: ProbeMetricsRegistry, { probe, run, facts }: ObservedRun): void {
  const { stream: _, ...at } = labelsOf(run.target, probe);
  const { api } = probe;
  if (facts.content_bytes !== null) metrics.set('weighbridge_probe_content_bytes', at, facts.content_bytes);
  const { task } = facts;
  if (task === null) return;
  const exemplar = run.request_id === null ? undefined : { request_id: run.request_id };
  for (const stage of TASK_STAGES) {
    const ms = task.stages[stage];
    if (ms !== null)
      metrics.observe('weighbridge_probe_task_stage_seconds', { ...at, stage }, ms / 1000, exemplar);
  }
  for (const { from, to, legal } of task.transitions)
    metrics.inc('weighbridge_probe_task_transitions_total', {
      target: run.target,
      api,
      from: stateOf(from),
      to: stateOf(to),
      legal: yesNo(legal),
    });
  metrics.inc('weighbridge_probe_tasks_total', { ...at, final: task.final });
  metrics.inc(
    'weighbridge_probe_task_polls_total',
    { target: run.target, probe: probe.name, api },
    task.polls,
  );
}

function stateOf(status: string): TaskState {
  return TASK_STATES.find((state) => state === status) ?? 'other';
}

import { STAGE } from './buckets.ts';
import { PROBE_APIS, TASK_FINALS, TASK_STAGES, TASK_STATES, YES_NO } from './label-values.ts';
import { counter, gauge, histogram } from './probe-metric.ts';

const TASK = { probe: 'configuration', target: 'configuration', api: PROBE_APIS } as const;
const MODEL = { ...TASK, model: 'configuration' } as const;

/** C. Images, video tasks. */
export const TASK_METRICS = [
  histogram(
    'weighbridge_probe_task_stage_seconds',
    STAGE,
    { ...MODEL, stage: TASK_STAGES },
    'Time a task spent in submit, queued, in_progress, download and total.',
    { exemplars: true },
  ),
  counter(
    'weighbridge_probe_task_transitions_total',
    'transitions',
    { target: 'configuration', api: PROBE_APIS, from: TASK_STATES, to: TASK_STATES, legal: YES_NO },
    'Observed status changes; legal=false breaks the documented order.',
  ),
  counter(
    'weighbridge_probe_tasks_total',
    'tasks',
    { ...MODEL, final: TASK_FINALS },
    'Tasks closed, by final: completed, failed, timeout, lost, rejected.',
  ),
  counter(
    'weighbridge_probe_tasks_resumed_total',
    'tasks',
    TASK,
    'Open tasks that were taken up again after a restart.',
  ),
  gauge('weighbridge_probe_tasks_open', 'tasks', TASK, 'Tasks created and not yet final.'),
  gauge(
    'weighbridge_probe_task_oldest_open_timestamp_seconds',
    'unix seconds',
    TASK,
    'Creation time of the oldest open task; absent when none.',
  ),
  counter('weighbridge_probe_task_polls_total', 'polls', TASK, 'Status reads made for tasks.'),
  gauge('weighbridge_probe_content_bytes', 'bytes', MODEL, 'Size of the last image or video fetched.'),
] as const;

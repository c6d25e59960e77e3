import type { BoardSpec } from './board-spec.ts';
import { quantile } from './latency-board.ts';
import { probeSelector } from './select.ts';

const STAGE = 'weighbridge_probe_task_stage_seconds';
const TASKS = 'weighbridge_probe_tasks_total';

export const TASKS_BOARD: BoardSpec = {
  uid: 'weighbridge-tasks',
  title: 'Weighbridge: images and video tasks',
  description: 'Tasks from submit to the bytes that were bought.',
  family: 'probe',
  panels: (time) => [
    {
      title: 'Time by stage',
      description:
        'Submit, queued, in progress, download and all together; nine in ten tasks of six hours were faster.',
      unit: 's',
      kind: 'timeseries',
      width: 12,
      queries: [{ expr: quantile(0.9, STAGE, 'api, stage', time.span('6h')), legend: '{{api}} {{stage}}' }],
    },
    {
      title: 'Final states, 6 h',
      description: 'Completed, failed, timeout, lost and rejected are five different things.',
      unit: 'short',
      kind: 'stacked',
      width: 12,
      queries: [
        {
          expr: `sum by (api, final) (increase(${probeSelector(TASKS)}[${time.span('6h')}]))`,
          legend: '{{api}} {{final}}',
        },
      ],
    },
    {
      title: 'Changes of state, 24 h',
      description: 'legal=false breaks the documented order.',
      unit: 'short',
      kind: 'table',
      width: 12,
      queries: [
        {
          expr: `sum by (api, from, to, legal) (increase(${probeSelector('weighbridge_probe_task_transitions_total')}[${time.span('1d')}]))`,
          legend: '{{from}} {{to}}',
        },
      ],
    },
    {
      title: 'Age of the oldest open task',
      description: '0 where none is open.',
      unit: 'dtdurations',
      kind: 'timeseries',
      width: 12,
      queries: [
        {
          expr: `time() - ${probeSelector('weighbridge_probe_task_oldest_open_timestamp_seconds')} or 0 * ${probeSelector('weighbridge_probe_tasks_open')}`,
          legend: '{{target}} {{probe}}',
        },
      ],
    },
    {
      title: 'Open tasks',
      description: 'Created and not yet final; they outlive the daemon and are taken up again.',
      unit: 'short',
      kind: 'timeseries',
      width: 8,
      queries: [{ expr: probeSelector('weighbridge_probe_tasks_open'), legend: '{{target}} {{probe}}' }],
    },
    {
      title: 'Status reads by task, 6 h',
      description: 'How often a task is asked for before it ends.',
      unit: 'none',
      kind: 'timeseries',
      width: 8,
      queries: [
        {
          expr: `sum by (api) (increase(${probeSelector('weighbridge_probe_task_polls_total')}[${time.span('6h')}])) / sum by (api) (increase(${probeSelector(TASKS)}[${time.span('6h')}]))`,
          legend: '{{api}}',
        },
      ],
    },
    {
      title: 'Tasks taken up again, 24 h',
      description: 'After a restart of the daemon; none is created twice.',
      unit: 'short',
      kind: 'stacked',
      width: 24,
      queries: [
        {
          expr: `sum by (target, probe) (increase(${probeSelector('weighbridge_probe_tasks_resumed_total')}[${time.span('1d')}]))`,
          legend: '{{target}} {{probe}}',
        },
      ],
    },
    {
      title: 'Size of the last image or video',
      description: 'A sudden small one is an error page, or another quality than was paid for.',
      unit: 'bytes',
      kind: 'timeseries',
      width: 8,
      queries: [{ expr: probeSelector('weighbridge_probe_content_bytes'), legend: '{{target}} {{probe}}' }],
    },
  ],
};

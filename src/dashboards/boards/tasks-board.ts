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

const TPOT = 'weighbridge_probe_time_per_output_token_seconds';
const EVENTS = 'weighbridge_probe_stream_events_total';
const TOKENS = 'weighbridge_probe_tokens_total';

export const STREAMS_BOARD: BoardSpec = {
  uid: 'weighbridge-streams',
  title: 'Weighbridge: streams',
  description: 'Whether streams flow, pause and end as they must. Status codes say nothing of it.',
  family: 'probe',
  panels: (time) => [
    {
      title: 'Broken streams by kind',
      description: 'HTTP 200, and then no terminator, a cut, an error event, bad JSON, nothing, or too much.',
      unit: 'short',
      kind: 'stacked',
      width: 12,
      queries: [
        {
          expr: `sum by (api, error_type) (increase(${probeSelector('weighbridge_probe_runs_total', 'error_type=~"stream_.*"')}[$__rate_interval]))`,
          legend: '{{api}} {{error_type}}',
        },
      ],
    },
    {
      title: 'Events by class',
      description: 'Deltas, pings, comments, usage, terminators, errors, unknown and malformed ones.',
      unit: 'ops',
      kind: 'stacked',
      width: 12,
      queries: [
        { expr: `sum by (event) (rate(${probeSelector(EVENTS)}[$__rate_interval]))`, legend: '{{event}}' },
      ],
    },
    {
      title: 'Longest silence in the last stream',
      description: 'Between two deltas.',
      unit: 's',
      kind: 'timeseries',
      width: 12,
      queries: [
        { expr: probeSelector('weighbridge_probe_stream_max_gap_seconds'), legend: '{{target}} {{probe}}' },
      ],
    },
    {
      title: 'Output tokens a second',
      description: 'Of one stream; half of the streams of the last hour were faster.',
      unit: 'none',
      kind: 'timeseries',
      width: 12,
      queries: [{ expr: `1 / ${quantile(0.5, TPOT, 'model', time.span('1h'))}`, legend: '{{model}}' }],
    },
    {
      title: 'Terminators by streams',
      description: '1 is sound: every stream ends with the terminator of its format.',
      unit: 'percentunit',
      kind: 'timeseries',
      width: 12,
      queries: [
        {
          expr: `sum by (api) (increase(${probeSelector(EVENTS, 'event="terminator"')}[${time.span('1h')}])) / sum by (api) (increase(${probeSelector('weighbridge_probe_duration_seconds', 'stream="true"', '_count')}[${time.span('1h')}]))`,
          legend: '{{api}}',
        },
      ],
    },
    {
      title: 'Tokens, told and counted',
      description: 'What the gateway reports beside what the client estimates. Never add up the two.',
      unit: 'short',
      kind: 'timeseries',
      width: 12,
      queries: [
        {
          expr: `sum by (type, source) (increase(${probeSelector(TOKENS)}[${time.span('1h')}]))`,
          legend: '{{type}} {{source}}',
        },
      ],
    },
  ],
};

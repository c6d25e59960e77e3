import type { BoardSpec } from './board-spec.ts';
import { quantile } from './latency-board.ts';
import { growth, probeSelector } from './select.ts';

const STAGE = 'weighbridge_probe_task_stage_seconds';
const TASKS = 'weighbridge_probe_tasks_total';

export const TASKS_BOARD: BoardSpec = {
  uid: 'weighbridge-tasks',
  title: 'Weighbridge: images and video tasks',
  description: 'Tasks from submit to the bytes that were bought.',
  panels: (time) => [
    {
      title: 'Time by stage',
      description:
        'Submit, queued, in progress, download and all together; nine in ten tasks of six hours were faster.',
      unit: 's',
      queries: { '{{api}} {{stage}}': quantile(0.9, STAGE, 'api, stage', time.span('6h')) },
    },
    {
      title: 'Final states, 6 h',
      description: 'Completed, failed, timeout, lost and rejected are five different things.',
      kind: 'stacked',
      queries: { '{{api}} {{final}}': growth('api, final', TASKS, time.span('6h')) },
    },
    {
      title: 'Changes of state, 24 h',
      description: 'legal=false breaks the documented order.',
      kind: 'table',
      queries: {
        '{{from}} {{to}}': growth(
          'api, from, to, legal',
          'weighbridge_probe_task_transitions_total',
          time.span('1d'),
        ),
      },
    },
    {
      title: 'Age of the oldest open task',
      description: '0 where none is open.',
      unit: 'dtdurations',
      queries: {
        '{{target}} {{probe}}': `time() - ${probeSelector('weighbridge_probe_task_oldest_open_timestamp_seconds')} or 0 * ${probeSelector('weighbridge_probe_tasks_open')}`,
      },
    },
    {
      title: 'Open tasks',
      description: 'Created and not yet final; they outlive the daemon and are taken up again.',
      width: 8,
      queries: { '{{target}} {{probe}}': probeSelector('weighbridge_probe_tasks_open') },
    },
    {
      title: 'Status reads by task, 6 h',
      description: 'How often a task is asked for before it ends.',
      unit: 'none',
      width: 8,
      queries: {
        '{{api}}': `sum by (api) (increase(${probeSelector('weighbridge_probe_task_polls_total')}[${time.span('6h')}])) / sum by (api) (increase(${probeSelector(TASKS)}[${time.span('6h')}]))`,
      },
    },
    {
      title: 'Tasks taken up again, 24 h',
      description: 'After a restart of the daemon; none is created twice.',
      kind: 'stacked',
      width: 24,
      queries: {
        '{{target}} {{probe}}': growth(
          'target, probe',
          'weighbridge_probe_tasks_resumed_total',
          time.span('1d'),
        ),
      },
    },
    {
      title: 'Size of the last image or video',
      description: 'A sudden small one is an error page, or another quality than was paid for.',
      unit: 'bytes',
      width: 8,
      queries: { '{{target}} {{probe}}': probeSelector('weighbridge_probe_content_bytes') },
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
  panels: (time) => [
    {
      title: 'Broken streams by kind',
      description: 'HTTP 200, and then no terminator, a cut, an error event, bad JSON, nothing, or too much.',
      kind: 'stacked',
      queries: {
        '{{api}} {{error_type}}': growth(
          'api, error_type',
          'weighbridge_probe_runs_total',
          '$__rate_interval',
          'error_type=~"stream_.*"',
        ),
      },
    },
    {
      title: 'Events by class',
      description: 'Deltas, pings, comments, usage, terminators, errors, unknown and malformed ones.',
      unit: 'ops',
      kind: 'stacked',
      queries: { '{{event}}': `sum by (event) (rate(${probeSelector(EVENTS)}[$__rate_interval]))` },
    },
    {
      title: 'Longest silence in the last stream',
      description: 'Between two deltas.',
      unit: 's',
      queries: { '{{target}} {{probe}}': probeSelector('weighbridge_probe_stream_max_gap_seconds') },
    },
    {
      title: 'Output tokens a second',
      description: 'Of one stream; half of the streams of the last hour were faster.',
      unit: 'none',
      queries: { '{{model}}': `1 / ${quantile(0.5, TPOT, 'model', time.span('1h'))}` },
    },
    {
      title: 'Terminators by streams',
      description: '1 is sound: every stream ends with the terminator of its format.',
      unit: 'percentunit',
      queries: {
        '{{api}}': `sum by (api) (increase(${probeSelector(EVENTS, 'event="terminator"')}[${time.span('1h')}])) / sum by (api) (increase(${probeSelector('weighbridge_probe_duration_seconds', 'stream="true"', '_count')}[${time.span('1h')}]))`,
      },
    },
    {
      title: 'Tokens, told and counted',
      description: 'What the gateway reports beside what the client estimates. Never add up the two.',
      queries: { '{{type}} {{source}}': growth('type, source', TOKENS, time.span('1h')) },
    },
  ],
};

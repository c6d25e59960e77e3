import type { BoardSpec } from './board-spec.ts';
import { quantile } from './latency-board.ts';
import { probeSelector } from './select.ts';

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

import type { BoardSpec } from './board-spec.ts';
import { probeSelector } from './select.ts';

const TTFT = 'weighbridge_probe_time_to_first_token_seconds';
const FIRST_EVENT = 'weighbridge_probe_time_to_first_event_seconds';
const TPOT = 'weighbridge_probe_time_per_output_token_seconds';
const DURATION = 'weighbridge_probe_duration_seconds';

export function quantile(q: number, name: string, by: string, window: string): string {
  const buckets = probeSelector(name, '', '_bucket');
  return `histogram_quantile(${q}, sum by (le, ${by}) (increase(${buckets}[${window}])))`;
}

function mean(name: string, by: string, window: string): string {
  const grown = (part: '_sum' | '_count'): string =>
    `sum by (${by}) (increase(${probeSelector(name, '', part)}[${window}]))`;
  return `${grown('_sum')} / ${grown('_count')}`;
}

export const LATENCY_BOARD: BoardSpec = {
  uid: 'weighbridge-latency',
  title: 'Weighbridge: latency by model and format',
  description: 'How long answers take, by model and by the format they are asked in.',
  panels: (time) => [
    {
      title: 'First token by model',
      description:
        'Request sent to first text, streams of the last hour: half, nine in ten and 99 in 100 were faster.',
      unit: 's',
      queries: Object.fromEntries(
        [0.5, 0.9, 0.99].map((q) => [`{{model}} p${q * 100}`, quantile(q, TTFT, 'model', time.span('1h'))]),
      ),
    },
    {
      title: 'The same model through three formats',
      description:
        'Mean time to the first token. One slow format is the gateway; all of them slow is the channel.',
      unit: 's',
      queries: { '{{model}} {{api}}': mean(TTFT, 'model, api', time.span('1h')) },
    },
    {
      title: 'First token, distribution',
      description: 'How many streams fell into which span of time.',
      unit: 's',
      kind: 'heatmap',
      queries: {
        '{{le}}': `sum by (le) (increase(${probeSelector(TTFT, '', '_bucket')}[$__rate_interval]))`,
      },
    },
    {
      title: 'First event and first token',
      description: 'Means. An early event with a late token is the model thinking, not the way to it.',
      unit: 's',
      queries: {
        '{{model}} event': mean(FIRST_EVENT, 'model', time.span('1h')),
        '{{model}} token': mean(TTFT, 'model', time.span('1h')),
      },
    },
    {
      title: 'Time per output token',
      description: 'Half of the streams of the last hour were faster.',
      unit: 's',
      queries: { '{{model}}': quantile(0.5, TPOT, 'model', time.span('1h')) },
    },
    {
      title: 'Whole run',
      description:
        'First byte of the request to last byte of the answer, or to the final state of a task; nine in ten.',
      unit: 's',
      queries: { '{{api}} {{model}}': quantile(0.9, DURATION, 'api, model', time.span('1h')) },
    },
    {
      title: 'Streamed against whole',
      description: 'Mean length of a run, streamed or not.',
      unit: 's',
      queries: { '{{model}} stream={{stream}}': mean(DURATION, 'model, stream', time.span('1h')) },
    },
    {
      title: 'Phases of the last run',
      description:
        'Resolve, connect, TLS, send, wait and transfer. A reused connection has no time for the first three.',
      unit: 's',
      kind: 'stacked',
      queries: {
        '{{target}} {{probe}} {{phase}}': `sum by (target, probe, phase) (${probeSelector('weighbridge_probe_phase_seconds')})`,
      },
    },
    {
      title: 'Length of the last run',
      description: 'As a table, to sort.',
      unit: 's',
      kind: 'table',
      width: 24,
      queries: { '{{target}} {{probe}}': probeSelector('weighbridge_probe_last_duration_seconds') },
    },
  ],
};

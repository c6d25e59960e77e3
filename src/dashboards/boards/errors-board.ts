import type { BoardSpec } from './board-spec.ts';
import { probeSelector } from './select.ts';

const RUNS = 'weighbridge_probe_runs_total';

export const ERRORS_BOARD: BoardSpec = {
  uid: 'weighbridge-errors',
  title: 'Weighbridge: errors and blame',
  description: 'What fails, where, and who is to be asked.',
  family: 'probe',
  panels: (time) => [
    {
      title: 'Failures by blame',
      description:
        'Gateway, upstream, network, account or the probe itself. The account is not a fault of the service.',
      unit: 'short',
      kind: 'stacked',
      width: 12,
      queries: [
        {
          expr: `sum by (blame) (increase(${probeSelector(RUNS, 'blame!="none"')}[$__rate_interval]))`,
          legend: '{{blame}}',
        },
      ],
    },
    {
      title: 'Failures by error_type',
      description: 'The closed list of error types.',
      unit: 'short',
      kind: 'stacked',
      width: 12,
      queries: [
        {
          expr: `sum by (error_type) (increase(${probeSelector(RUNS, 'error_type!=""')}[$__rate_interval]))`,
          legend: '{{error_type}}',
        },
      ],
    },
    {
      title: 'Failures by probe, 24 h',
      description: 'Where to look first.',
      unit: 'short',
      kind: 'table',
      width: 12,
      queries: [
        {
          expr: `sum by (target, probe, model, error_type, blame) (increase(${probeSelector(RUNS, 'blame!="none"')}[${time.span('1d')}]))`,
          legend: '{{probe}}',
        },
      ],
    },
    {
      title: 'Answers by status code',
      description:
        'Every HTTP answer that a probe saw. A stream that breaks after a 200 stands here as a 200.',
      unit: 'ops',
      kind: 'stacked',
      width: 12,
      queries: [
        {
          expr: `sum by (code) (rate(${probeSelector('weighbridge_probe_http_responses_total')}[$__rate_interval]))`,
          legend: '{{code}}',
        },
      ],
    },
    {
      title: 'Requests that must be refused',
      description: 'Negative probes: yes where the last one was refused as it must be.',
      unit: 'bool_yes_no',
      kind: 'state',
      width: 12,
      queries: [
        {
          expr: probeSelector('weighbridge_probe_success', 'api="negative"'),
          legend: '{{target}} {{probe}}',
        },
      ],
    },
    {
      title: 'Breaches of the interface, 24 h',
      description: 'Answers that break a named rule of the description of the interface.',
      unit: 'short',
      kind: 'table',
      width: 12,
      queries: [
        {
          expr: `sum by (target, rule) (increase(${probeSelector('weighbridge_contract_violations_total')}[${time.span('1d')}]))`,
          legend: '{{rule}}',
        },
      ],
    },
    {
      title: 'Listed models by what they answer',
      description: 'A model that is listed and answers unavailable is offered in name only.',
      unit: 'short',
      kind: 'timeseries',
      width: 12,
      queries: [{ expr: probeSelector('weighbridge_models_probed'), legend: '{{target}} {{state}}' }],
    },
    {
      title: 'Asked to wait',
      description: 'The last Retry-After of each probe; 0 where there was none.',
      unit: 's',
      kind: 'timeseries',
      width: 12,
      queries: [
        { expr: probeSelector('weighbridge_probe_retry_after_seconds'), legend: '{{target}} {{probe}}' },
      ],
    },
    {
      title: 'Time since the last success',
      description: 'By probe.',
      unit: 'dtdurations',
      kind: 'table',
      width: 24,
      queries: [
        {
          expr: `time() - ${probeSelector('weighbridge_probe_last_success_timestamp_seconds')}`,
          legend: '{{target}} {{probe}}',
        },
      ],
    },
  ],
};

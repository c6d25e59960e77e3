import type { BoardSpec } from './board-spec.ts';
import { growth, probeSelector, since } from './select.ts';

const RUNS = 'weighbridge_probe_runs_total';

export const ERRORS_BOARD: BoardSpec = {
  uid: 'weighbridge-errors',
  title: 'Weighbridge: errors and blame',
  description: 'What fails, where, and who is to be asked.',
  panels: (time) => [
    {
      title: 'Failures by blame',
      description:
        'Gateway, upstream, network, account or the probe itself. The account is not a fault of the service.',
      kind: 'stacked',
      queries: { '{{blame}}': growth('blame', RUNS, '$__rate_interval', 'blame!="none"') },
    },
    {
      title: 'Failures by error_type',
      description: 'The closed list of error types.',
      kind: 'stacked',
      queries: { '{{error_type}}': growth('error_type', RUNS, '$__rate_interval', 'error_type!=""') },
    },
    {
      title: 'Failures by probe, 24 h',
      description: 'Where to look first.',
      kind: 'table',
      queries: {
        '{{probe}}': growth(
          'target, probe, model, error_type, blame',
          RUNS,
          time.span('1d'),
          'blame!="none"',
        ),
      },
    },
    {
      title: 'Answers by status code',
      description:
        'Every HTTP answer that a probe saw. A stream that breaks after a 200 stands here as a 200.',
      unit: 'ops',
      kind: 'stacked',
      queries: {
        '{{code}}': `sum by (code) (rate(${probeSelector('weighbridge_probe_http_responses_total')}[$__rate_interval]))`,
      },
    },
    {
      title: 'Requests that must be refused',
      description: 'Negative probes: yes where the last one was refused as it must be.',
      unit: 'bool_yes_no',
      kind: 'state',
      queries: { '{{target}} {{probe}}': probeSelector('weighbridge_probe_success', 'api="negative"') },
    },
    {
      title: 'Breaches of the interface, 24 h',
      description: 'Answers that break a named rule of the description of the interface.',
      kind: 'table',
      queries: {
        '{{rule}}': growth('target, rule', 'weighbridge_contract_violations_total', time.span('1d')),
      },
    },
    {
      title: 'Listed models by what they answer',
      description: 'A model that is listed and answers unavailable is offered in name only.',
      queries: { '{{target}} {{state}}': probeSelector('weighbridge_models_probed') },
    },
    {
      title: 'Asked to wait',
      description: 'The last Retry-After of each probe; 0 where there was none.',
      unit: 's',
      queries: { '{{target}} {{probe}}': probeSelector('weighbridge_probe_retry_after_seconds') },
    },
    {
      title: 'Time since the last success',
      description: 'By probe.',
      unit: 'dtdurations',
      kind: 'table',
      width: 24,
      queries: { '{{target}} {{probe}}': since('weighbridge_probe_last_success_timestamp_seconds') },
    },
  ],
};

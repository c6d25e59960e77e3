import { JUDGED_RUNS, SERVICE_FAULTS } from '../rules/recording-rules.ts';
import type { BoardSpec } from './board-spec.ts';
import { growth, probeSelector } from './select.ts';

const RUNS = 'weighbridge_probe_runs_total';

function failed(by: string, window: string): string {
  const count = (matchers: string): string => growth(by, RUNS, window, matchers);
  return `(${count(SERVICE_FAULTS)} or 0 * ${count(JUDGED_RUNS)}) / ${count(JUDGED_RUNS)}`;
}

export const OVERVIEW_BOARD: BoardSpec = {
  uid: 'weighbridge-overview',
  title: 'Weighbridge: overview and SLO',
  description: 'Is the service up, does it keep its objective, and how long will credit and budget last.',
  panels: (time) => [
    {
      title: 'Availability, 24 h',
      description:
        'Share of probe runs that the service did not fail. Faults of our account or our own are not counted.',
      unit: 'percentunit',
      kind: 'stat',
      queries: { '{{target}} {{api}}': `1 - ${failed('target, api', time.span('1d'))}` },
    },
    {
      title: 'Error budget left, 30 d',
      description: 'Of 1 % of the runs of 30 days. Below zero the objective is missed.',
      unit: 'percentunit',
      kind: 'gauge',
      queries: { '{{target}} {{api}}': `1 - ${failed('target, api', time.span('30d'))} / 0.01` },
    },
    {
      title: 'Probe state',
      description: '1 where the last run met every expectation of its probe.',
      unit: 'bool_yes_no',
      kind: 'state',
      width: 24,
      queries: { '{{target}} {{probe}}': probeSelector('weighbridge_probe_success') },
    },
    {
      title: 'Burn rate, short window',
      description:
        'Failures over five minutes as a multiple of what the objective allows. 14.4 together with the hour pages.',
      unit: 'none',
      queries: { '{{target}} {{api}}': `${failed('target, api', time.span('5m'))} / 0.01` },
    },
    {
      title: 'Burn rate, long window',
      description: 'Failures over one hour as a multiple of what the objective allows.',
      unit: 'none',
      queries: { '{{target}} {{api}}': `${failed('target, api', time.span('1h'))} / 0.01` },
    },
    {
      title: 'Failures by error_type',
      description: 'What went wrong, whoever is to blame.',
      kind: 'stacked',
      queries: { '{{error_type}}': growth('error_type', RUNS, '$__rate_interval', 'error_type!=""') },
    },
    {
      title: 'Age of the last run, in intervals',
      description: 'Above 3 a probe is stale: the schedule stands still, a run hangs, or runs are withheld.',
      unit: 'none',
      kind: 'table',
      queries: {
        '{{target}} {{probe}}': `(time() - ${probeSelector('weighbridge_probe_last_run_timestamp_seconds')}) / ${probeSelector('weighbridge_probe_interval_seconds')}`,
      },
    },
    {
      title: 'Runway of the credit',
      description: 'Remaining site units by the pace of six hours. No rate of exchange is involved.',
      unit: 'dtdurations',
      kind: 'stat',
      width: 8,
      noValue: 'nothing is used',
      queries: {
        '{{target}}': `${probeSelector('weighbridge_account_quota_units')} / (deriv(${probeSelector('weighbridge_account_used_quota_units')}[${time.span('6h')}]) > 0)`,
      },
    },
    {
      title: 'Budget of the probes used',
      description: 'Spent and reserved against the caps of the hour, the day and the month.',
      unit: 'percentunit',
      kind: 'bargauge',
      width: 8,
      queries: {
        '{{target}} {{period}}': `${probeSelector('weighbridge_probe_budget_spent_usd')} / ${probeSelector('weighbridge_probe_budget_limit_usd')}`,
      },
    },
    {
      title: 'Days until the certificate ends',
      description: 'The earliest of the chain last seen; none for targets without TLS.',
      unit: 'dtdurations',
      kind: 'stat',
      width: 8,
      noValue: 'no TLS',
      queries: {
        '{{target}}': `${probeSelector('weighbridge_target_tls_not_after_timestamp_seconds')} - time()`,
      },
    },
  ],
};

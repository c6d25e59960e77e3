import type { BoardSpec } from './board-spec.ts';
import { quantile } from './latency-board.ts';
import { probeSelector } from './select.ts';

const SPEND = 'weighbridge_probe_spend_usd_total';

export const SPEND_BOARD: BoardSpec = {
  uid: 'weighbridge-spend',
  title: 'Weighbridge: spend and credit',
  description:
    'What was spent, by whom, what is reserved, and how long the credit lasts. Site units are never turned into USD.',
  family: 'probe',
  panels: (time) => [
    {
      title: 'Settled, pending and refunded',
      description: 'As the gateway reports them for each window.',
      unit: 'currencyUSD',
      kind: 'timeseries',
      width: 12,
      queries: [
        { expr: probeSelector('weighbridge_usage_settled_usd'), legend: '{{target}} settled {{window}}' },
        { expr: probeSelector('weighbridge_usage_pending_usd'), legend: '{{target}} pending {{window}}' },
        { expr: probeSelector('weighbridge_usage_refunded_usd'), legend: '{{target}} refunded {{window}}' },
      ],
    },
    {
      title: 'Top models by spend today',
      description: 'Settled amounts of the day (UTC); models that are not watched stand together as other.',
      unit: 'currencyUSD',
      kind: 'bargauge',
      width: 12,
      queries: [
        {
          expr: `topk(10, ${probeSelector('weighbridge_usage_model_settled_usd')})`,
          legend: '{{target}} {{model}}',
        },
      ],
    },
    {
      title: 'Cost of the probes, 24 h',
      description:
        'Three views of the same money: reserved before sending, priced by the book, recorded by the gateway.',
      unit: 'currencyUSD',
      kind: 'timeseries',
      width: 12,
      queries: [
        {
          expr: `sum by (model, source) (increase(${probeSelector(SPEND)}[${time.span('1d')}]))`,
          legend: '{{model}} {{source}}',
        },
      ],
    },
    {
      title: 'Spent against the caps',
      description: 'Spend of the probes, open reservations included, and the cap of the period.',
      unit: 'currencyUSD',
      kind: 'timeseries',
      width: 12,
      queries: [
        { expr: probeSelector('weighbridge_probe_budget_spent_usd'), legend: '{{target}} {{period}} spent' },
        { expr: probeSelector('weighbridge_probe_budget_limit_usd'), legend: '{{target}} {{period}} cap' },
      ],
    },
    {
      title: 'Credit left, and in a day',
      description: 'Site units, and where the pace of six hours leads within 24 hours.',
      unit: 'short',
      kind: 'timeseries',
      width: 12,
      queries: [
        { expr: probeSelector('weighbridge_account_quota_units'), legend: '{{target}} left' },
        {
          expr: `predict_linear(${probeSelector('weighbridge_account_quota_units')}[${time.span('6h')}], ${time.seconds('1d')})`,
          legend: '{{target}} in a day',
        },
      ],
    },
    {
      title: 'Used credit and requests',
      description: 'As the account tells them, in site units and requests since it was opened.',
      unit: 'short',
      kind: 'timeseries',
      width: 12,
      queries: [
        { expr: probeSelector('weighbridge_account_used_quota_units'), legend: '{{target}} units' },
        { expr: probeSelector('weighbridge_account_requests'), legend: '{{target}} requests' },
      ],
    },
    {
      title: 'Settlement lag',
      description: 'End of a run to its settled record; 19 in 20 of six hours were faster.',
      unit: 's',
      kind: 'timeseries',
      width: 12,
      queries: [
        {
          expr: quantile(0.95, 'weighbridge_usage_settlement_lag_seconds', 'target', time.span('6h')),
          legend: '{{target}}',
        },
      ],
    },
    {
      title: 'Records, and unknown ones',
      description: 'Records of each window, and those whose outcome the gateway does not know.',
      unit: 'short',
      kind: 'timeseries',
      width: 12,
      queries: [
        { expr: probeSelector('weighbridge_usage_records'), legend: '{{target}} {{window}} all' },
        { expr: probeSelector('weighbridge_usage_unknown_records'), legend: '{{target}} {{window}} unknown' },
      ],
    },
    {
      title: 'Records that rest on an estimate',
      description: 'Share of the records read that say usage_estimated.',
      unit: 'percentunit',
      kind: 'timeseries',
      width: 12,
      queries: [
        {
          expr: `${probeSelector('weighbridge_usage_estimated_records')} / ${probeSelector('weighbridge_usage_read_records')}`,
          legend: '{{target}} {{window}}',
        },
      ],
    },
    {
      title: 'Scheduled runs: age of the last verdict',
      description: 'Time since the last run of the schedule came to a verdict.',
      unit: 'dtdurations',
      kind: 'stat',
      width: 8,
      noValue: 'no schedule',
      queries: [
        {
          expr: `time() - ${probeSelector('weighbridge_scheduled_run_end_timestamp_seconds')}`,
          legend: '{{target}}',
        },
      ],
    },
    {
      title: 'Scheduled runs: exit status',
      description: '0: nothing stands against the last run. 5: its bill does not hold. 7: no conclusion.',
      unit: 'none',
      kind: 'stat',
      width: 8,
      noValue: 'no schedule',
      queries: [{ expr: probeSelector('weighbridge_scheduled_run_exit_status'), legend: '{{target}}' }],
    },
    {
      title: 'Scheduled runs: next expected in',
      description: 'Below zero it is late; two hours later WeighbridgeScheduledRunMissing fires.',
      unit: 'dtdurations',
      kind: 'stat',
      width: 8,
      noValue: 'no schedule',
      queries: [
        {
          expr: `${probeSelector('weighbridge_scheduled_run_expected_timestamp_seconds')} - time()`,
          legend: '{{target}}',
        },
      ],
    },
    {
      title: 'Scheduled runs: money',
      description: 'Charged, expected, and what is certainly too much or too little, of the last run.',
      unit: 'currencyUSD',
      kind: 'timeseries',
      width: 24,
      noValue: 'no schedule',
      queries: [{ expr: probeSelector('weighbridge_scheduled_run_usd'), legend: '{{target}} {{line}}' }],
    },
  ],
};

import type { BoardSpec } from './board-spec.ts';
import { quantile } from './latency-board.ts';
import { growth, probeSelector, since } from './select.ts';

const SPEND = 'weighbridge_probe_spend_usd_total';

export const SPEND_BOARD: BoardSpec = {
  uid: 'weighbridge-spend',
  title: 'Weighbridge: spend and credit',
  description:
    'What was spent, by whom, what is reserved, and how long the credit lasts. Site units are never turned into USD.',
  panels: (time) => [
    {
      title: 'Settled, pending and refunded',
      description: 'As the gateway reports them for each window.',
      unit: 'currencyUSD',
      queries: {
        '{{target}} settled {{window}}': probeSelector('weighbridge_usage_settled_usd'),
        '{{target}} pending {{window}}': probeSelector('weighbridge_usage_pending_usd'),
        '{{target}} refunded {{window}}': probeSelector('weighbridge_usage_refunded_usd'),
      },
    },
    {
      title: 'Top models by spend today',
      description: 'Settled amounts of the day (UTC); models that are not watched stand together as other.',
      unit: 'currencyUSD',
      kind: 'bargauge',
      queries: {
        '{{target}} {{model}}': `topk(10, ${probeSelector('weighbridge_usage_model_settled_usd')})`,
      },
    },
    {
      title: 'Cost of the probes, 24 h',
      description:
        'Views of the same money: reserved by the price list or assumed before the call, then priced and recorded.',
      unit: 'currencyUSD',
      queries: { '{{model}} {{source}}': growth('model, source', SPEND, time.span('1d')) },
    },
    {
      title: 'Probes at an assumed price',
      description: '1 where no price list has a price, and probe.assume_usd_per_run stands in for it.',
      unit: 'none',
      queries: { '{{target}} {{probe}}': probeSelector('weighbridge_probe_price_assumed') },
    },
    {
      title: 'Spent against the caps',
      description: 'Spend of the probes, open reservations included, and the cap of the period.',
      unit: 'currencyUSD',
      queries: {
        '{{target}} {{period}} spent': probeSelector('weighbridge_probe_budget_spent_usd'),
        '{{target}} {{period}} cap': probeSelector('weighbridge_probe_budget_limit_usd'),
      },
    },
    {
      title: 'Lost to cache misses',
      description:
        'Of own calls of the last audit: what hits saved, and what those that did not come would have, at least and at most.',
      unit: 'currencyUSD',
      queries: {
        '{{target}} lost, {{kind}}': probeSelector('weighbridge_cache_lost_usd'),
        '{{target}} saved': probeSelector('weighbridge_cache_saved_usd'),
      },
    },
    {
      title: 'Owed cache hits',
      description: 'Own calls of the last audit that the prompt cache owed a hit, by whether it came.',
      queries: { '{{target}} {{state}}': probeSelector('weighbridge_cache_hits') },
    },
    {
      title: 'Credit left, and in a day',
      description: 'Site units, and where the pace of six hours leads within 24 hours.',
      queries: {
        '{{target}} left': probeSelector('weighbridge_account_quota_units'),
        '{{target}} in a day': `predict_linear(${probeSelector('weighbridge_account_quota_units')}[${time.span('6h')}], ${time.seconds('1d')})`,
      },
    },
    {
      title: 'Used credit and requests',
      description: 'As the account tells them, in site units and requests since it was opened.',
      queries: {
        '{{target}} units': probeSelector('weighbridge_account_used_quota_units'),
        '{{target}} requests': probeSelector('weighbridge_account_requests'),
      },
    },
    {
      title: 'Settlement lag',
      description: 'End of a run to its settled record; 19 in 20 of six hours were faster.',
      unit: 's',
      queries: {
        '{{target}}': quantile(0.95, 'weighbridge_usage_settlement_lag_seconds', 'target', time.span('6h')),
      },
    },
    {
      title: 'Records, and unknown ones',
      description: 'Records of each window, and those whose outcome the gateway does not know.',
      queries: {
        '{{target}} {{window}} all': probeSelector('weighbridge_usage_records'),
        '{{target}} {{window}} unknown': probeSelector('weighbridge_usage_unknown_records'),
      },
    },
    {
      title: 'Records that rest on an estimate',
      description: 'Share of the records read that say usage_estimated.',
      unit: 'percentunit',
      queries: {
        '{{target}} {{window}}': `${probeSelector('weighbridge_usage_estimated_records')} / ${probeSelector('weighbridge_usage_read_records')}`,
      },
    },
    {
      title: 'Scheduled runs: age of the last verdict',
      description: 'Time since the last run of the schedule came to a verdict.',
      unit: 'dtdurations',
      kind: 'stat',
      width: 8,
      noValue: 'no schedule',
      queries: { '{{target}}': since('weighbridge_scheduled_run_end_timestamp_seconds') },
    },
    {
      title: 'Scheduled runs: exit status',
      description: '0: nothing stands against the last run. 5: its bill does not hold. 7: no conclusion.',
      unit: 'none',
      kind: 'stat',
      width: 8,
      noValue: 'no schedule',
      queries: { '{{target}}': probeSelector('weighbridge_scheduled_run_exit_status') },
    },
    {
      title: 'Scheduled runs: next expected in',
      description: 'Below zero it is late; two hours later WeighbridgeScheduledRunMissing fires.',
      unit: 'dtdurations',
      kind: 'stat',
      width: 8,
      noValue: 'no schedule',
      queries: {
        '{{target}}': `${probeSelector('weighbridge_scheduled_run_expected_timestamp_seconds')} - time()`,
      },
    },
    {
      title: 'Scheduled runs: money',
      description: 'Charged, expected, and what is certainly too much or too little, of the last run.',
      unit: 'currencyUSD',
      width: 24,
      noValue: 'no schedule',
      queries: { '{{target}} {{line}}': probeSelector('weighbridge_scheduled_run_usd') },
    },
  ],
};

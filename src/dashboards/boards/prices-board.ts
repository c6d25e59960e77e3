import type { BoardSpec } from './board-spec.ts';
import { growth, probeSelector, since } from './select.ts';

const PER_TOKEN = 'weighbridge_price_usd_per_token';

export const PRICES_BOARD: BoardSpec = {
  uid: 'weighbridge-prices',
  title: 'Weighbridge: prices and billing audit',
  description: 'What is offered at which price, and whether the probes’ own calls were charged by it.',
  panels: (time) => [
    {
      title: 'Price of a million tokens',
      description: 'As the price book lists it.',
      unit: 'currencyUSD',
      kind: 'table',
      queries: { '{{model}} {{kind}}': `${probeSelector(PER_TOKEN)} * 1e6` },
    },
    {
      title: 'Price of an image, a second of video, a request',
      description: 'As the price book lists them.',
      unit: 'currencyUSD',
      kind: 'table',
      queries: {
        '{{model}} {{variant}}': `${probeSelector('weighbridge_price_usd_per_image')} or ${probeSelector('weighbridge_price_usd_per_second')} or ${probeSelector('weighbridge_price_usd_per_request')}`,
      },
    },
    {
      title: 'Price above the lowest of seven days',
      description: 'By model and kind of token; 0 where nothing rose.',
      unit: 'percentunit',
      queries: {
        '{{target}} {{model}} {{kind}}': `${probeSelector(PER_TOKEN)} / min_over_time(${probeSelector(PER_TOKEN)}[${time.span('7d')}]) - 1`,
      },
    },
    {
      title: 'Changes of the price book, 24 h',
      description: 'Prices up and down, models in and out, new versions.',
      kind: 'stacked',
      queries: {
        '{{target}} {{change}}': growth(
          'target, change',
          'weighbridge_pricebook_changes_total',
          time.span('1d'),
        ),
      },
    },
    {
      title: 'Price book in force',
      description: 'Its version, and how long ago it was read and changed.',
      unit: 'dtdurations',
      kind: 'table',
      queries: {
        '{{target}} {{version}}': `(time() - ${probeSelector('weighbridge_pricebook_last_fetch_timestamp_seconds')}) * on (job, instance, target) group_right () ${probeSelector('weighbridge_pricebook_info')}`,
      },
    },
    {
      title: 'Models listed, and those with a price',
      description: 'With and without key; listed without a price, and priced without being listed.',
      queries: {
        '{{target}} listed, credential {{credential}}': probeSelector('weighbridge_models_listed'),
        '{{target}} {{state}}': probeSelector('weighbridge_pricebook_models'),
      },
    },
    {
      title: 'Own calls by verdict, 24 h',
      description:
        'Paid calls of the probes compared with their records, as `weighbridge reconcile` judges them.',
      kind: 'stacked',
      queries: {
        '{{target}} {{verdict}}': growth('target, verdict', 'weighbridge_audit_calls_total', time.span('1d')),
      },
    },
    {
      title: 'Records that disagree, 24 h',
      description: 'By what is wrong: missing, duplicate, amount, tokens, model, time, unpriced.',
      kind: 'stacked',
      queries: {
        '{{target}} {{kind}}': growth('target, kind', 'weighbridge_usage_mismatches_total', time.span('1d')),
      },
    },
    {
      title: 'Recorded against priced',
      description: '1 where the gateway charges what the book says.',
      unit: 'none',
      queries: {
        '{{model}}': ['recorded', 'priced']
          .map(
            (source) =>
              `sum by (model) (increase(${probeSelector('weighbridge_probe_spend_usd_total', `source="${source}"`)}[${time.span('1d')}]))`,
          )
          .join(' / '),
      },
    },
    {
      title: 'Totals less the sum of their records',
      description: '0 where the totals are what their records add up to.',
      unit: 'currencyUSD',
      queries: { '{{target}} {{window}}': probeSelector('weighbridge_usage_totals_drift_usd') },
    },
    {
      title: 'Records that changed after they had settled, 24 h',
      description: 'Changed or vanished: the past was written anew.',
      kind: 'stacked',
      queries: {
        '{{target}} {{change}}': growth(
          'target, change',
          'weighbridge_usage_record_changes_total',
          time.span('1d'),
        ),
      },
    },
    {
      title: 'Findings by class',
      description:
        'Of the last audit of own calls; `weighbridge reconcile` over the ledger of the daemon gives the evidence.',
      kind: 'table',
      queries: { '{{target}} {{class}}': probeSelector('weighbridge_audit_findings') },
    },
    {
      title: 'Age of the last audit, and of the last change of the price book',
      description:
        'Time since own calls were last compared with their records, and since the price list last changed.',
      unit: 'dtdurations',
      queries: {
        '{{target}} audit': since('weighbridge_audit_last_run_timestamp_seconds'),
        '{{target}} change of the book': since('weighbridge_pricebook_last_change_timestamp_seconds'),
      },
    },
    {
      title: 'Changes of the model lists, 24 h',
      description: 'Models added and removed, with and without key.',
      kind: 'stacked',
      queries: {
        '{{target}} {{change}}, credential {{credential}}': growth(
          'target, credential, change',
          'weighbridge_models_changes_total',
          time.span('1d'),
        ),
      },
    },
    {
      title: 'Own calls without a verdict yet',
      description: 'Their records are not settled.',
      queries: { '{{target}}': probeSelector('weighbridge_audit_calls_open') },
    },
  ],
};

import { clock, grows, levels, type RuleCase } from './rule-case.ts';

const DAY = 86_400;

export const CATALOGUE_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeModelGone',
    step: '5m',
    lengths: [12, 12, 6],
    series: { 'weighbridge_model_listed{target="a",model="m"}': levels(1, 0, 1) },
    labels: { target: 'a', model: 'm' },
  },
  {
    alert: 'WeighbridgeModelCountDrop',
    step: '5m',
    lengths: [12, 12, 6],
    series: { 'weighbridge_models_listed{target="a",credential="key"}': levels(100, 70, 100) },
    labels: { target: 'a', credential: 'key' },
  },
  {
    alert: 'WeighbridgePriceChanged',
    lengths: [20, 5, 25],
    series: {
      'weighbridge_pricebook_changes_total{target="a",change="price_up"}': grows(0, 1, 0),
      'weighbridge_pricebook_changes_total{target="a",change="version_only"}': grows(1, 1, 1),
    },
    labels: { target: 'a', change: 'price_up' },
  },
  {
    alert: 'WeighbridgePriceJump',
    step: '10m',
    lengths: [150, 12, 12],
    series: {
      'weighbridge_price_usd_per_token{target="a",model="m",kind="output"}': levels(
        0.00001,
        0.000015,
        0.00001,
      ),
      'weighbridge_price_usd_per_token{target="a",model="m",kind="input"}': levels(
        0.000002,
        0.0000023,
        0.000002,
      ),
    },
    labels: { target: 'a', model: 'm', kind: 'output' },
  },
  ...[
    ['image', ',variant="1024x1024"', { variant: '1024x1024' }] as const,
    ['second', ',variant="720p"', { variant: '720p' }] as const,
    ['request', '', {}] as const,
  ].map(
    ([unit, extra, labels]): RuleCase => ({
      alert: 'WeighbridgePriceJump',
      step: '10m',
      lengths: [150, 12, 12],
      series: {
        [`weighbridge_price_usd_per_${unit}{target="a",model="p"${extra}}`]: levels(0.04, 0.06, 0.04),
      },
      labels: { target: 'a', model: 'p', ...labels },
    }),
  ),
  {
    alert: 'WeighbridgePricebookStale',
    step: '5m',
    lengths: [12, 90, 12],
    series: {
      'weighbridge_pricebook_last_fetch_timestamp_seconds{target="a"}': clock('now', 'frozen', 'now'),
    },
    labels: { target: 'a' },
  },
  {
    alert: 'WeighbridgeCertExpiry',
    step: '5m',
    lengths: [12, 24, 12],
    series: {
      'weighbridge_target_tls_not_after_timestamp_seconds{target="a"}': clock(90 * DAY, 10 * DAY, 90 * DAY),
    },
    labels: { target: 'a' },
  },
];

import { type CaseSeries, counterSeries, gaugeSeries, type RuleCase, slope } from './rule-case.ts';

const TARGET = { target: 'a' };
const LAG = 'weighbridge_usage_settlement_lag_seconds_bucket{target="a"';

/** Ten hours of a pace, then a top-up and the pace of before. */
function burn(perStep: number): readonly CaseSeries[] {
  return [
    slope('weighbridge_account_used_quota_units{target="a"}', [0, 100, 100 + 60 * perStep], [1, perStep, 1]),
    slope(
      'weighbridge_account_quota_units{target="a"}',
      [1_000_000, 1_000_000, 1_000_000],
      [-1, -perStep, -1],
    ),
  ];
}

export const MONEY_CASES: readonly RuleCase[] = [
  { alert: 'WeighbridgeRunwayShort', step: '10m', lengths: [60, 60, 60], series: burn(5000), labels: TARGET },
  {
    alert: 'WeighbridgeRunwayCritical',
    step: '10m',
    lengths: [60, 60, 60],
    series: burn(14_000),
    labels: TARGET,
  },
  {
    alert: 'WeighbridgeCreditRefused',
    step: '1m',
    lengths: [20, 5, 20],
    series: [
      counterSeries(
        'weighbridge_probe_runs_total{probe="chat",target="a",api="chat",model="m",error_type="insufficient_user_quota",blame="account"}',
        0,
        1,
        0,
      ),
    ],
    labels: TARGET,
  },
  {
    alert: 'WeighbridgeSpendAnomaly',
    step: '10m',
    lengths: [60, 6, 12],
    series: [gaugeSeries('weighbridge_usage_settled_usd{target="a",window="1h"}', 1.5, 9, 1.5)],
    labels: { target: 'a', window: '1h' },
  },
  {
    alert: 'WeighbridgePendingPilesUp',
    step: '5m',
    lengths: [12, 20, 12],
    series: [
      gaugeSeries('weighbridge_usage_settled_usd{target="a",window="1d"}', 10, 10, 10),
      gaugeSeries('weighbridge_usage_pending_usd{target="a",window="1d"}', 0.5, 5, 0.5),
    ],
    labels: { target: 'a', window: '1d' },
  },
  {
    alert: 'WeighbridgeUnknownRecords',
    step: '5m',
    lengths: [20, 6, 20],
    series: [gaugeSeries('weighbridge_usage_unknown_records{target="a",window="30d"}', 0, 3, 3)],
    labels: { target: 'a', window: '30d' },
  },
  {
    alert: 'WeighbridgeChargeMismatch',
    step: '1m',
    lengths: [20, 5, 70],
    series: [counterSeries('weighbridge_usage_mismatches_total{target="a",kind="amount"}', 0, 1, 0)],
    labels: { target: 'a', kind: 'amount' },
  },
  {
    alert: 'WeighbridgeSettlementSlow',
    step: '5m',
    lengths: [12, 24, 90],
    series: [
      counterSeries(`${LAG},le="60"}`, 1, 0, 1),
      counterSeries(`${LAG},le="600"}`, 1, 0, 1),
      counterSeries(`${LAG},le="1800"}`, 1, 1, 1),
      counterSeries(`${LAG},le="+Inf"}`, 1, 1, 1),
    ],
    labels: TARGET,
  },
];

export const BUDGET_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeProbeBudgetNearlySpent',
    step: '5m',
    lengths: [12, 12, 12],
    series: [
      gaugeSeries('weighbridge_probe_budget_spent_usd{target="a",period="day"}', 1, 1.7, 0),
      gaugeSeries('weighbridge_probe_budget_limit_usd{target="a",period="day"}', 2, 2, 2),
    ],
    labels: { target: 'a', period: 'day' },
  },
  {
    alert: 'WeighbridgeProbeBudgetNearlySpent',
    step: '5m',
    lengths: [12, 12, 12],
    series: [
      gaugeSeries('weighbridge_probe_budget_spent_usd{target="a",period="day"}', 1, 1, 1),
      gaugeSeries('weighbridge_probe_budget_limit_usd{target="a",period="day"}', 2, 2, 2),
      gaugeSeries('weighbridge_probe_budget_spent_usd{target="a",period="month"}', 30, 33, 0),
      gaugeSeries('weighbridge_probe_budget_limit_usd{target="a",period="month"}', 40, 40, 40),
    ],
    labels: { target: 'a', period: 'month' },
  },
  {
    alert: 'WeighbridgeProbeBudgetExhausted',
    step: '1m',
    lengths: [20, 5, 25],
    series: [
      counterSeries('weighbridge_probe_skipped_total{probe="chat",target="a",reason="budget"}', 0, 1, 0),
    ],
    labels: { target: 'a' },
  },
  {
    alert: 'WeighbridgeProbesSkipped',
    step: '1m',
    lengths: [20, 10, 70],
    series: [
      counterSeries('weighbridge_probe_skipped_total{probe="chat",target="a",reason="overlap"}', 0, 1, 0),
    ],
    labels: { probe: 'chat', target: 'a', reason: 'overlap' },
  },
];

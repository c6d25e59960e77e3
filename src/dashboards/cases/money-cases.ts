import { type CaseSeries, grows, levels, type RuleCase, slope } from './rule-case.ts';

const TARGET = { target: 'a' };
const LAG = 'weighbridge_usage_settlement_lag_seconds_bucket{target="a"';

/** Ten hours of a pace, then a top-up and the pace of before. */
function burn(perStep: number): CaseSeries {
  return {
    'weighbridge_account_used_quota_units{target="a"}': slope([0, 100, 100 + 60 * perStep], [1, perStep, 1]),
    'weighbridge_account_quota_units{target="a"}': slope(
      [1_000_000, 1_000_000, 1_000_000],
      [-1, -perStep, -1],
    ),
  };
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
    lengths: [20, 5, 20],
    series: {
      'weighbridge_probe_runs_total{probe="chat",target="a",api="chat",model="m",error_type="insufficient_user_quota",blame="account"}':
        grows(0, 1, 0),
    },
    labels: TARGET,
  },
  {
    alert: 'WeighbridgeSpendAnomaly',
    step: '10m',
    lengths: [60, 6, 12],
    series: { 'weighbridge_usage_settled_usd{target="a",window="1h"}': levels(1.5, 9, 1.5) },
    labels: { target: 'a', window: '1h' },
  },
  {
    alert: 'WeighbridgePendingPilesUp',
    step: '5m',
    lengths: [12, 20, 12],
    series: {
      'weighbridge_usage_settled_usd{target="a",window="1d"}': levels(10, 10, 10),
      'weighbridge_usage_pending_usd{target="a",window="1d"}': levels(0.5, 5, 0.5),
    },
    labels: { target: 'a', window: '1d' },
  },
  {
    alert: 'WeighbridgeUnknownRecords',
    step: '5m',
    lengths: [20, 6, 20],
    series: { 'weighbridge_usage_unknown_records{target="a",window="30d"}': levels(0, 3, 3) },
    labels: { target: 'a', window: '30d' },
  },
  {
    alert: 'WeighbridgeChargeMismatch',
    lengths: [20, 5, 70],
    series: { 'weighbridge_usage_mismatches_total{target="a",kind="amount"}': grows(0, 1, 0) },
    labels: { target: 'a', kind: 'amount' },
  },
  {
    alert: 'WeighbridgeSettlementSlow',
    step: '5m',
    lengths: [12, 24, 90],
    series: {
      [`${LAG},le="60"}`]: grows(1, 0, 1),
      [`${LAG},le="600"}`]: grows(1, 0, 1),
      [`${LAG},le="1800"}`]: grows(1, 1, 1),
      [`${LAG},le="+Inf"}`]: grows(1, 1, 1),
    },
    labels: TARGET,
  },
];

export const BUDGET_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeProbeBudgetNearlySpent',
    step: '5m',
    lengths: [12, 12, 12],
    series: {
      'weighbridge_probe_budget_spent_usd{target="a",period="day"}': levels(1, 1.7, 0),
      'weighbridge_probe_budget_limit_usd{target="a",period="day"}': levels(2, 2, 2),
    },
    labels: { target: 'a', period: 'day' },
  },
  {
    alert: 'WeighbridgeProbeBudgetNearlySpent',
    step: '5m',
    lengths: [12, 12, 12],
    series: {
      'weighbridge_probe_budget_spent_usd{target="a",period="day"}': levels(1, 1, 1),
      'weighbridge_probe_budget_limit_usd{target="a",period="day"}': levels(2, 2, 2),
      'weighbridge_probe_budget_spent_usd{target="a",period="month"}': levels(30, 33, 0),
      'weighbridge_probe_budget_limit_usd{target="a",period="month"}': levels(40, 40, 40),
    },
    labels: { target: 'a', period: 'month' },
  },
  {
    alert: 'WeighbridgeProbeBudgetExhausted',
    lengths: [20, 5, 25],
    series: {
      'weighbridge_probe_skipped_total{probe="chat",target="a",reason="budget"}': grows(0, 1, 0),
    },
    labels: { target: 'a', reason: 'budget' },
  },
  {
    alert: 'WeighbridgeProbesSkipped',
    lengths: [20, 10, 70],
    series: {
      'weighbridge_probe_skipped_total{probe="chat",target="a",reason="overlap"}': grows(0, 1, 0),
    },
    labels: { probe: 'chat', target: 'a', reason: 'overlap' },
  },
];

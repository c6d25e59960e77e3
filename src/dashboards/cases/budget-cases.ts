import { counterSeries, gaugeSeries, type RuleCase } from './rule-case.ts';

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

import type { PicoUsd } from '../../core/amount.ts';
import { BUDGET_PERIODS, type BudgetPeriod } from '../../core/budget-period.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import { usdNumber } from '../metrics/usd-number.ts';

/** A period without an amount, such as one without a cap, has no series. */
export function tellByPeriod(
  metrics: ProbeMetricsRegistry,
  name: 'weighbridge_probe_budget_limit_usd' | 'weighbridge_probe_budget_spent_usd',
  target: string,
  amounts: Readonly<Record<BudgetPeriod, PicoUsd | null>>,
): void {
  for (const period of BUDGET_PERIODS) {
    const amount = amounts[period];
    metrics.set(name, { target, period }, amount === null ? Number.NaN : usdNumber(amount));
  }
}

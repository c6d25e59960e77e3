import * as z from 'zod';
import { formatAmount, parseAmount } from '../core/amount.ts';
import type { BudgetLimits } from '../core/probe-plan.ts';
import { amountOf, usd } from './probe-values.ts';

/** What may be spent at a target, whichever command spends it. */
export const budget = z
  .strictObject({
    usd_per_hour: usd.describe(
      'Most that runs, audits and paid probes of a target may spend together in an hour, USD, quoted.',
    ),
    usd_per_day: usd.describe('The same for a day in UTC.'),
  })
  .refine(({ usd_per_hour: hour, usd_per_day: day }) => amountOf(day) >= amountOf(hour), {
    path: ['usd_per_day'],
    error: 'must be at least usd_per_hour',
  });
export type Budget = z.infer<typeof budget>;

/** As it stands in weighbridge.yaml; `limitsOf` reads it back. */
export function budgetOf(limits: BudgetLimits): Budget {
  return { usd_per_hour: formatAmount(limits.hour), usd_per_day: formatAmount(limits.day) };
}

export function limitsOf(given: Budget | null | undefined): BudgetLimits | null {
  if (given === undefined || given === null) return null;
  // The schema has read both already.
  return { hour: parseAmount(given.usd_per_hour) ?? 0n, day: parseAmount(given.usd_per_day) ?? 0n };
}

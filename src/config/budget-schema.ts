import * as z from 'zod';
import type { BudgetLimits } from '../contracts/probe-plan.ts';
import { formatAmount, parseAmount } from '../core/amount.ts';
import { optional } from './key-schemas.ts';
import { amountValue, usdValue } from './probe-values.ts';

/** What may be spent at a target, whichever command spends it. */
export const budget = z
  .strictObject({
    usd_per_hour: usdValue.describe(
      'Most that runs, audits and paid probes of a target may spend together in an hour, USD, quoted.',
    ),
    usd_per_day: usdValue.describe('The same for a day in UTC.'),
    usd_per_month: optional(usdValue, 'The same for a calendar month in UTC. Without it a month has no cap.'),
  })
  .refine(({ usd_per_hour: hour, usd_per_day: day }) => amountValue(day) >= amountValue(hour), {
    path: ['usd_per_day'],
    error: 'must be at least usd_per_hour',
  })
  .refine(
    ({ usd_per_day: day, usd_per_month: month }) =>
      month === undefined || amountValue(month) >= amountValue(day),
    { path: ['usd_per_month'], error: 'must be at least usd_per_day' },
  );
export type Budget = z.infer<typeof budget>;

/** As it stands in weighbridge.yaml; `limitsOf` reads it back. */
export function budgetOf({ hour, day, month }: BudgetLimits): Budget {
  return {
    usd_per_hour: formatAmount(hour),
    usd_per_day: formatAmount(day),
    ...(month === null ? {} : { usd_per_month: formatAmount(month) }),
  };
}

export function budgetLimits(given: Budget | null | undefined): BudgetLimits | null {
  if (given === undefined || given === null) return null;
  // The schema has read both already.
  return {
    hour: parseAmount(given.usd_per_hour) ?? 0n,
    day: parseAmount(given.usd_per_day) ?? 0n,
    month: given.usd_per_month === undefined ? null : (parseAmount(given.usd_per_month) ?? 0n),
  };
}

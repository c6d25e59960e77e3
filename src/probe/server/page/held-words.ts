import type { PicoUsd } from '../../../core/amount.ts';
import { BUDGET_PERIODS, type BudgetPeriod, periodAt } from '../../../core/budget-period.ts';
import { formatInstant } from '../../../core/time.ts';
import type { BudgetView, ProbeView } from '../../view/daemon-view.ts';
import { usdText } from './page-text.ts';

/** Why a probe does not run now, and what ends it. */
export function heldWords(
  { held, api }: Pick<ProbeView, 'held' | 'api'>,
  budget: BudgetView | null,
  now_ms: number,
): string | null {
  switch (held) {
    case 'budget':
      return budget === null ? 'the budget has no room' : capWords(budget, now_ms);
    case 'no_price':
      return 'no price list has a price for this model; set probe.assume_usd_per_run to run it all the same';
    case 'overlap':
      return 'its last run is still under way';
    case 'concurrency':
      return 'too many runs of this target are under way';
    case 'retry_after':
      return 'the target asked us to wait (Retry-After)';
    case 'paused':
      return api === 'negative' ? 'it needs an open task, and none is open' : 'paused';
    default:
      return held;
  }
}

/** The cap that has least left holds for certain, whatever the run reserves; of equal ones the longest. */
function capWords(budget: BudgetView, now_ms: number): string {
  // Of an hour that was forgotten, so is all else: the clock stands before what is known.
  if (budget.hour.spent === null) return 'the clock was set back before the last spend';
  const [first, ...more] = BUDGET_PERIODS.flatMap((period) => capOf(period, budget));
  if (first === undefined) return 'the budget has no room';
  const { period, limit, rest } = more.reduce(
    (least, cap) => (cap.rest === null || (least.rest !== null && cap.rest <= least.rest) ? cap : least),
    first,
  );
  const resets = resetWords(period, now_ms);
  if (rest === null) return `the spend of this ${period} is not known; its cap ${resets}`;
  const room = rest > 0n ? `${usdText(rest)} left of` : 'nothing left of';
  return `${room} the ${period}'s cap of ${usdText(limit)}; it ${resets}`;
}

interface Cap {
  readonly period: BudgetPeriod;
  readonly limit: PicoUsd;
  /** Null where nobody knows what the period has cost. */
  readonly rest: PicoUsd | null;
}

function capOf(period: BudgetPeriod, budget: BudgetView): readonly Cap[] {
  const { limit, spent } = budget[period];
  return limit === null ? [] : [{ period, limit, rest: spent === null ? null : limit - spent }];
}

function resetWords(period: BudgetPeriod, now_ms: number): string {
  const end = formatInstant(periodAt(period, now_ms).end_ms);
  return period === 'month' ? `resets on ${end.slice(0, 10)}` : `resets at ${end.slice(11, 16)} UTC`;
}

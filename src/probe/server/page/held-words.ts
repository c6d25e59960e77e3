import { BUDGET_PERIODS, periodAt } from '../../../core/budget-period.ts';
import { formatInstant } from '../../../core/time.ts';
import type { BudgetView, ProbeView } from '../../view/daemon-view.ts';
import { usd } from './page-text.ts';

/** Why a probe does not run now, and what ends it. */
export function heldWords(
  { held, api }: Pick<ProbeView, 'held' | 'api'>,
  budget: BudgetView | null,
  now_ms: number,
): string | null {
  switch (held) {
    case 'budget':
      return budget === null ? 'no room in the budget' : capWords(budget, now_ms);
    case 'retry_after':
      return 'the target asked us to wait (Retry-After)';
    case 'paused':
      return api === 'negative' ? 'nothing to ask with: no task is open' : 'paused';
    default:
      return held;
  }
}

/** The cap that has least left holds for certain, whatever the run reserves; of equal ones the longest. */
function capWords(budget: BudgetView, now_ms: number): string {
  const caps = BUDGET_PERIODS.map((period) => {
    const { limit, spent } = budget[period];
    return { period, limit, rest: limit - spent };
  });
  const { period, limit, rest } = caps.reduce((least, cap) => (cap.rest <= least.rest ? cap : least));
  const frees = formatInstant(periodAt(period, now_ms).end_ms).slice(11, 16);
  const room = rest > 0n ? `${usd(rest)} left of` : 'nothing left of';
  return `${room} the ${period}'s cap of ${usd(limit)}: frees at ${frees} UTC`;
}

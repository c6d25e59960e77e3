import { formatInstant } from '../../../core/time.ts';
import type { ProbeView, TargetView } from '../../view/daemon-view.ts';
import { usd } from './page-text.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Why a probe does not run now, and what ends it. */
export function heldWords(
  { held, api }: Pick<ProbeView, 'held' | 'api'>,
  budget: TargetView['budget'],
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

/** The cap that has less left holds for certain, whatever the run reserves; both begin anew with the clock of UTC. */
function capWords({ hour, day }: NonNullable<TargetView['budget']>, now_ms: number): string {
  const left = { hour: hour.limit - hour.spent, day: day.limit - day.spent };
  const isDay = left.day < left.hour;
  const [cap, rest, span] = isDay ? [day, left.day, DAY_MS] : [hour, left.hour, HOUR_MS];
  const frees = formatInstant((Math.floor(now_ms / span) + 1) * span).slice(11, 16);
  const room = rest > 0n ? `${usd(rest)} left of` : 'nothing left of';
  return `${room} the ${isDay ? "day's" : "hour's"} cap of ${usd(cap.limit)}: frees at ${frees} UTC`;
}

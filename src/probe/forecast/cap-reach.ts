import type { BudgetLimits } from '../../contracts/probe-plan.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { BUDGET_PERIODS, type BudgetPeriod } from '../../core/budget-period.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Of a month the longest: a cap that outlasts this one stops nothing. */
const LENGTH_MS = { hour: HOUR_MS, day: DAY_MS, month: 31 * DAY_MS } as const;

/** When a cap stops a probe: so long after the start of each period; 0 where it never runs. */
export interface CapStop {
  readonly cap: BudgetPeriod;
  readonly after_ms: number;
}

/**
 * The caps that stop a run whose reserve is `worst`, when the paid probes of its target would spend `perHour` together, the
 * shortest period first. A run is refused once what was spent and its own reserve are above a cap.
 */
export function capStops(limits: BudgetLimits, perHour: PicoUsd, worst: PicoUsd): readonly CapStop[] {
  const stops: CapStop[] = [];
  let pace: Pace = { usd: perHour, ms: HOUR_MS };
  for (const cap of BUDGET_PERIODS) {
    const limit = limits[cap];
    if (limit === null) continue;
    if (worst > limit) return [{ cap, after_ms: 0 }];
    const period = { usd: limit, ms: LENGTH_MS[cap] };
    const after_ms = reachedAfter(limit - worst, pace, period.ms);
    if (after_ms !== null) stops.push({ cap, after_ms });
    // What a shorter period lets through is all that a longer one sees.
    pace = slower(pace, period);
  }
  return stops;
}

interface Pace {
  readonly usd: PicoUsd;
  readonly ms: number;
}

function slower(left: Pace, right: Pace): Pace {
  return right.usd * BigInt(left.ms) < left.usd * BigInt(right.ms) ? right : left;
}

/** Time after which more than `room` is spent, if that is before the end of the period; above 0, for the first run fits. */
function reachedAfter(room: PicoUsd, { usd, ms }: Pace, periodMs: number): number | null {
  if (usd === 0n) return null;
  const after = (room * BigInt(ms)) / usd;
  return after < BigInt(periodMs) ? Math.max(1, Number(after)) : null;
}

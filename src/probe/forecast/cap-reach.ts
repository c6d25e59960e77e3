import type { PicoUsd } from '../../core/amount.ts';
import { BUDGET_PERIODS, type BudgetPeriod } from '../../core/budget-period.ts';
import type { BudgetLimits } from '../../core/probe-plan.ts';

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
 * The first cap that stops a run whose reserve is `worst`, when the paid probes of its target spend `perHour` together; null
 * where none does. A run is refused once what was spent and its own reserve are above a cap.
 */
export function capStop(limits: BudgetLimits, perHour: PicoUsd, worst: PicoUsd): CapStop | null {
  for (const cap of BUDGET_PERIODS) {
    const limit = limits[cap];
    if (limit === null) continue;
    const after_ms = reachedAfter(limit - worst, perHour, LENGTH_MS[cap]);
    if (after_ms !== null) return { cap, after_ms };
  }
  return null;
}

/** Time after which more than `room` is spent, if that is before the end of the period. */
function reachedAfter(room: PicoUsd, perHour: PicoUsd, periodMs: number): number | null {
  if (room < 0n) return 0;
  if (perHour === 0n) return null;
  const after = (room * BigInt(HOUR_MS)) / perHour;
  return after < BigInt(periodMs) ? Number(after) : null;
}

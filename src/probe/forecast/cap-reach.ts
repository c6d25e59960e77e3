import type { PicoUsd } from '../../core/amount.ts';
import type { BudgetLimits } from '../../core/probe-plan.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** When a cap stops a probe: so long after the start of each hour or day; 0 where it never runs. */
export interface CapStop {
  readonly cap: 'hour' | 'day';
  readonly after_ms: number;
}

/**
 * The first cap that stops a run whose reserve is `worst`, when the paid probes of its target spend `perHour` together; null
 * where none does. A run is refused once what was spent and its own reserve are above a cap.
 */
export function capStop(limits: BudgetLimits, perHour: PicoUsd, worst: PicoUsd): CapStop | null {
  const hour = reachedAfter(limits.hour - worst, perHour, HOUR_MS);
  if (hour !== null) return { cap: 'hour', after_ms: hour };
  // No more than the cap of an hour is spent in one.
  const spent = perHour < limits.hour ? perHour : limits.hour;
  const day = reachedAfter(limits.day - worst, spent, DAY_MS);
  return day === null ? null : { cap: 'day', after_ms: day };
}

/** Time after which more than `room` is spent, if that is before the end of the period. */
function reachedAfter(room: PicoUsd, perHour: PicoUsd, periodMs: number): number | null {
  if (room < 0n) return 0;
  if (perHour === 0n) return null;
  const after = (room * BigInt(HOUR_MS)) / perHour;
  return after < BigInt(periodMs) ? Number(after) : null;
}

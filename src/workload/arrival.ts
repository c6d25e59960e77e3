import type { Arrival, ArrivalStage } from '../contracts/plan.ts';

/**
 * Start n (from 0) is at the first moment at which the integral of the rate reaches n, so start 0 is at 0;
 * only moments before the end of the last stage count.
 */

/** The integral is held in whole units of 1/2,000,000 start: a stage gives (from + to) × duration of them. */
const UNITS_PER_START = 2_000_000n;

/** Number of planned starts, exact; null for a closed loop, whose answers set the pace. A random process starts as many. */
export function plannedStarts(arrival: Arrival): number | null {
  if (arrival.concurrency !== null) return null;
  if (arrival.trace !== null) return Math.min(arrival.trace.calls, arrival.max_calls ?? arrival.trace.calls);
  const areas = arrival.stages.map(areaOf);
  const total = areas.reduce((sum, area) => sum + area, 0n);
  if (totalDurationMs(arrival) <= 0) return 0;
  // A whole total is reached exactly at the end, which is too late, unless the rate is 0 for a while before it.
  const reachedEarly = areas.at(-1) === 0n && (arrival.stages.at(-1)?.duration_ms ?? 0) > 0;
  const whole = total / UNITS_PER_START;
  const counted = total === 0n || reachedEarly || total % UNITS_PER_START !== 0n ? whole + 1n : whole;
  return arrival.max_calls === null ? Number(counted) : Math.min(Number(counted), arrival.max_calls);
}

function totalDurationMs(arrival: Arrival): number {
  return arrival.stages.reduce((sum, stage) => sum + stage.duration_ms, 0);
}

function areaOf(stage: ArrivalStage): bigint {
  return BigInt(stage.from_millirate + stage.to_millirate) * BigInt(stage.duration_ms);
}

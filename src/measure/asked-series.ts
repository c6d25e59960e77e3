import type { ScenarioPlan } from '../core/plan.ts';
import { scheduledBetween } from './arrival-time.ts';

/**
 * Starts that the schedules ask for, bucket by bucket from their zero on; null where they do not say it of every bucket
 * (closed loops, random processes, traces), or where a start makes several calls.
 */
export function askedSeries(
  scenarios: readonly ScenarioPlan[],
  bucketSeconds: number,
  length: number,
): readonly number[] | null {
  if (scenarios.some(({ text }) => text?.session != null)) return null;
  const asked: number[] = [];
  for (let bucket = 0; bucket < length; bucket += 1) {
    let calls = 0;
    for (const { arrival } of scenarios) {
      const own = scheduledBetween(arrival, bucket * bucketSeconds, bucketSeconds).calls;
      if (own === null) return null;
      calls += own;
    }
    asked.push(calls);
  }
  return asked;
}

import { isTimeObjective, type Objective } from '../contracts/plan.ts';
import { type CallTimes, callTimes } from './call-times.ts';
import type { LogicalCall } from './logical-call.ts';

/** Calls that are ok and within every bound on time of their scenario. */
export function goodCalls(calls: readonly LogicalCall[], objectives: readonly Objective[]): number {
  const bounds = Map.groupBy(objectives.filter(isTimeObjective), ({ scenario }) => scenario);
  return calls.filter(
    (call) => call.last.outcome === 'ok' && isGood(callTimes(call), bounds.get(call.scenario) ?? []),
  ).length;
}

/**
 * Whether one ok call is good: every time that an objective of its scenario bounds is within the bound. A time that
 * the call does not have (TTFT of a plain call, TPOT of one token) bounds nothing.
 */
function isGood(times: CallTimes, objectives: readonly Objective[]): boolean {
  return objectives.every((objective) => {
    const value = boundedTime(times, objective);
    return value === null || objective.max === null || value <= objective.max;
  });
}

/** The time that an objective bounds; null where it bounds none, or the call has none. */
export function boundedTime(times: CallTimes, { measure }: Objective): number | null {
  switch (measure) {
    case 'ttft_ms':
      return times.ttft;
    case 'tpot_ms':
      return times.tpot;
    case 'e2e_ms':
      return times.e2e;
    default:
      return null;
  }
}

import { isTimeObjective, type Objective } from '../core/plan.ts';
import type { ObjectiveResult } from '../core/result.ts';
import { type CallTimes, callTimes } from './call-times.ts';
import { ascending, percentile } from './latency-table.ts';
import type { LogicalCall } from './logical-call.ts';
import type { ScenarioCounts } from './scenario-counts.ts';

/**
 * Whether one ok call is good: every time that an objective of its scenario bounds is within the bound. A time that
 * the call does not have (TTFT of a plain call, TPOT of one token) bounds nothing.
 */
export function meetsObjectives(times: CallTimes, objectives: readonly Objective[]): boolean {
  return objectives.every((objective) => {
    const value = timeOf(times, objective);
    return value === null || isWithin(value, objective);
  });
}

/** Judges one objective over the measured calls of its scenario. */
export function judgeObjective(
  objective: Objective,
  calls: readonly LogicalCall[],
  counts: ScenarioCounts,
): ObjectiveResult {
  const actual = actualOf(objective, calls, counts);
  return {
    scenario: objective.scenario,
    measure: objective.measure,
    percentile: objective.percentile,
    max: objective.max,
    min: objective.min,
    max_usd: objective.max_usd,
    actual,
    met: actual !== null && isWithin(actual, objective),
  };
}

function isWithin(value: number, { max, min }: Objective): boolean {
  return (max === null || value <= max) && (min === null || value >= min);
}

function actualOf(
  objective: Objective,
  calls: readonly LogicalCall[],
  counts: ScenarioCounts,
): number | null {
  if (objective.measure === 'dropped_share') {
    return counts.planned === 0 ? null : counts.dropped / counts.planned;
  }
  if (objective.measure === 'error_share') {
    const judged = calls.filter((call) => call.judged);
    if (judged.length === 0) return null;
    return judged.filter((call) => call.last.outcome !== 'ok').length / judged.length;
  }
  const values = calls
    .filter((call) => call.last.outcome === 'ok')
    .flatMap((call) => timeOf(callTimes(call), objective) ?? []);
  return percentile(ascending(values), objective.percentile ?? 100);
}

function timeOf(times: CallTimes, objective: Objective): number | null {
  if (!isTimeObjective(objective)) return null;
  switch (objective.measure) {
    case 'ttft_ms':
      return times.ttft;
    case 'tpot_ms':
      return times.tpot;
    default:
      return times.e2e;
  }
}

import type { LoadFigures, ObjectiveResult } from '../contracts/load-result.ts';
import type { Objective } from '../contracts/plan.ts';
import { callTimes } from './call-times.ts';
import { boundedTime } from './good-call.ts';
import { goodCost, isWithinUsd, per1000Text } from './good-cost.ts';
import { ascending } from './latency-table.ts';
import type { LoadGroup } from './load-figures.ts';
import type { LogicalCall } from './logical-call.ts';
import { valueAtRank } from './value-at-rank.ts';

/** Judges one objective over the measured calls of its scenario, whose figures are `figures`. */
export function judgeObjective(
  objective: Objective,
  group: LoadGroup,
  figures: LoadFigures,
): ObjectiveResult {
  const { scenario, measure, percentile: percent, max, min, max_usd } = objective;
  const bounds = { scenario, measure, percentile: percent, max, min, max_usd };
  if (measure === 'usd_per_1000_good') {
    const cost = goodCost(group.calls, figures.good, group.costs);
    const met = cost !== null && max_usd !== null && isWithinUsd(cost, max_usd);
    return {
      ...bounds,
      actual: null,
      actual_usd: cost === null ? null : per1000Text(cost),
      actual_at_most: cost?.at_most ?? false,
      met,
    };
  }
  const actual = actualOf(objective, group.calls, figures);
  return {
    ...bounds,
    actual,
    actual_usd: null,
    actual_at_most: false,
    met: actual !== null && isWithin(actual, objective),
  };
}

function isWithin(value: number, { max, min }: Objective): boolean {
  return (max === null || value <= max) && (min === null || value >= min);
}

function actualOf(objective: Objective, calls: readonly LogicalCall[], figures: LoadFigures): number | null {
  switch (objective.measure) {
    case 'dropped_share':
      return figures.planned === 0 ? null : figures.dropped / figures.planned;
    case 'error_share':
      return errorShare(calls);
    case 'goodput_rate':
      return figures.goodput;
    case 'attainment_share':
      return figures.attainment;
    default:
      return valueAtRank(ascending(timesOf(objective, calls)), objective.percentile ?? 100);
  }
}

function errorShare(calls: readonly LogicalCall[]): number | null {
  const judged = calls.filter((call) => call.judged);
  if (judged.length === 0) return null;
  return judged.filter((call) => call.last.outcome !== 'ok').length / judged.length;
}

function timesOf(objective: Objective, calls: readonly LogicalCall[]): readonly number[] {
  return calls
    .filter((call) => call.last.outcome === 'ok')
    .flatMap((call) => boundedTime(callTimes(call), objective) ?? []);
}

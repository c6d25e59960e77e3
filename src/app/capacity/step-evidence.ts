import type { LoadResult, ObjectiveResult, ScenarioResult } from '../../contracts/result.ts';
import type { Objective } from '../../core/plan.ts';
import { decisiveCalls } from './decisive-calls.ts';

/** Fewest calls that show that an objective was missed; a percentile from 99 up is none without its hundredth call. */
const LEAST_CALLS = 20;
const LEAST_CALLS_P99 = 100;

/** Fewest calls that can show that an objective holds. */
export function callsToHold({ percentile }: Pick<Objective, 'percentile'>): number {
  return percentile === null ? LEAST_CALLS : Math.max(LEAST_CALLS, decisiveCalls(percentile));
}

/**
 * Why the calls of a step are too few to say that an objective was met, or that it was missed; null where they are enough.
 * It is met by the values that its figure is made of, and missed by the calls that the target could have made good: one
 * that answers none of many has missed its times, too.
 */
export function tooFewCalls(
  objective: ObjectiveResult,
  { scenarios }: Pick<LoadResult, 'scenarios'>,
): string | null {
  const { scenario, measure, percentile, met } = objective;
  const figures = scenarios.find((own) => own.scenario === scenario);
  const toMiss = percentile !== null && percentile >= 99 ? LEAST_CALLS_P99 : LEAST_CALLS;
  const least = met ? callsToHold(objective) : toMiss;
  const calls = figures === undefined ? 0 : met ? valuesOf(objective, figures) : judgedOf(figures);
  if (calls >= least) return null;
  const name = percentile === null ? measure : `${measure} p${percentile}`;
  return `${scenario}: ${calls} ${calls === 1 ? 'call' : 'calls'} to judge ${name} by, at least ${least} are needed: lengthen --step or raise the rate`;
}

function valuesOf({ measure }: ObjectiveResult, figures: ScenarioResult): number {
  switch (measure) {
    case 'ttft_ms':
      return figures.latency.ttft?.count ?? 0;
    case 'tpot_ms':
      return figures.latency.tpot?.count ?? 0;
    case 'e2e_ms':
      return figures.latency.e2e?.count ?? 0;
    case 'dropped_share':
      return figures.planned;
    default:
      return judgedOf(figures);
  }
}

/** Calls that were sent, and not ended by us. */
function judgedOf({ outcomes }: ScenarioResult): number {
  const sent = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return sent - (outcomes.aborted ?? 0) - (outcomes.interrupted ?? 0);
}

import type { LoadResult, ObjectiveResult, ScenarioResult } from '../../contracts/load-result.ts';
import type { Objective } from '../../contracts/plan.ts';
import { parseNumberText } from '../../core/decimal.ts';

/** Fewest calls that show that an objective was missed; a percentile from 99 up is none without its hundredth call. */
const LEAST_CALLS = 20;
const LEAST_CALLS_P99 = 100;

/** Fewest calls that can show that an objective holds. */
export function callsToHold({ percentile }: Pick<Objective, 'percentile'>): number {
  return percentile === null ? LEAST_CALLS : Math.max(LEAST_CALLS, decisiveCalls(percentile));
}

/**
 * Why the calls of a step are too few to say that an objective was met, or that it was missed; null where they are
 * enough. Values of its figure show that it is met, and calls that the target could have made good that it is missed.
 * A target that answers none of many has missed its times, too.
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

/** Beyond it the rounding of a double cannot be told from the answer, and powers are too long to be exact. */
const EXACT_UP_TO = 100_000;

/**
 * Fewest calls that show a percentile to be within its bound when none of them is over it. A target that misses the
 * bound passes so many in less than 5 % of cases. The least n with (percentile / 100)ⁿ < 1/20, by the exact binomial
 * test.
 */
export function decisiveCalls(percentile: number): number {
  const near = Math.ceil(Math.log(0.05) / Math.log(percentile / 100));
  if (near > EXACT_UP_TO) return near;
  let calls = Math.max(1, near - 1);
  while (!isDecisive(percentile, calls)) calls += 1;
  return calls;
}

function isDecisive(percentile: number, calls: number): boolean {
  const { digits, scale } = parseNumberText(String(percentile)) ?? { digits: 0n, scale: 0 };
  return 20n * digits ** BigInt(calls) < (100n * 10n ** BigInt(scale)) ** BigInt(calls);
}

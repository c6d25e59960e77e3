import type { BaselineResult, ComparedFigure, RegressionLimit } from '../../contracts/comparison.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import type { ExitReason } from '../../contracts/result.ts';
import { compareSamples } from '../../measure/compare/compare-samples.ts';
import { leastCalls } from '../../measure/compare/sample-figures.ts';
import type { Measurement } from '../../measure/measure.ts';
import { changeText } from '../../report/sections/comparison-table.ts';
import { figure } from '../../report/words/figure-text.ts';

type Compared = Pick<Measurement, 'samples' | 'client'>;

export function againstBaseline(
  run_id: string,
  limits: readonly RegressionLimit[],
  before: Compared,
  after: Compared,
): BaselineResult {
  const figures = compareSamples(before.samples, after.samples).filter((each) =>
    limits.some((limit) => bounds(limit, each)),
  );
  return {
    run_id,
    limits,
    figures,
    unsound: [...unsound('the baseline', before), ...unsound('this run', after)],
  };
}

function unsound(name: string, { client }: Compared): readonly string[] {
  return client.verdict === 'valid'
    ? []
    : [`the client of ${name} was no measure: ${client.reasons.join('; ')}`];
}

function bounds({ kind, measure }: RegressionLimit, each: ComparedFigure): boolean {
  return measure === each.measure && (kind === null || kind === each.kind);
}

/**
 * Exit 4 where a measure of this run is worse than the baseline's by more than its limit, and the calls of both
 * suffice to show it; else 7. Neither says that the target changed.
 */
export function baselineExits(baseline: BaselineResult | null): readonly ExitReason[] {
  if (baseline === null) return [];
  const { run_id, limits, figures, unsound } = baseline;
  return limits.flatMap((limit): ExitReason[] => {
    const own = figures.filter((each) => bounds(limit, each));
    if (own.length === 0)
      return inconclusive(
        `${nameOf(limit)}: run ${run_id} and this one have no calls of the same kind to compare`,
      );
    return own.flatMap((each) => exitOf(each, limit, run_id, unsound.length > 0));
  });
}

function exitOf(
  each: ComparedFigure,
  { most }: RegressionLimit,
  runId: string,
  limited: boolean,
): ExitReason[] {
  const { kind, measure, before, after, change, verdict } = each;
  const worse = change === null ? after > before : change > most;
  const words = `${kind}: ${measure} is ${figure(after)}, ${change === null ? 'up' : changeText(change)} from ${figure(before)} in run ${runId}`;
  if (limited && isTime(each))
    return inconclusive(`${kind}: ${measure} is not held against run ${runId}: a client was no measure`);
  if (verdict === 'too_few_calls')
    return inconclusive(
      `${kind}: too few calls to hold ${measure} against run ${runId}, each run needs ${leastCalls(measure)} that have it`,
    );
  if (!worse) return [];
  if (verdict === 'worse')
    return [{ code: EXIT.objectives, why: `${words}, at most +${percentOf(most)} allowed` }];
  return inconclusive(`${words}, which may be chance`);
}

function inconclusive(why: string): ExitReason[] {
  return [{ code: EXIT.inconclusive, why }];
}

function isTime({ measure }: ComparedFigure): boolean {
  return measure !== 'error_share' && measure !== 'usd_per_1000_good';
}

function nameOf({ kind, measure }: RegressionLimit): string {
  return kind === null ? measure : `${kind}.${measure}`;
}

function percentOf(share: number): string {
  return `${Number((share * 100).toFixed(6))} %`;
}

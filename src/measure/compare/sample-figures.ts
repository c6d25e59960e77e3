import { COMPARED_MEASURES, type ComparedMeasure } from '../../contracts/comparison.ts';
import type { CallTimes } from '../call-times.ts';
import { ascending, percentile } from '../latency-table.ts';
import { blockResamples } from './block-resamples.ts';
import type { KindSample } from './kind-sample.ts';
import { type Placed, resampledPercentiles, resampledRatios } from './resampled-figures.ts';

/** A measure of a sample, and what it is in each resample; null where there are too few calls for an interval. */
export interface SampleFigure {
  readonly value: number;
  readonly resampled: readonly number[] | null;
}

const TIMES: readonly (readonly [keyof CallTimes, name: string, percents: readonly number[]])[] = [
  ['ttft', 'ttft', [50, 95, 99]],
  ['tpot', 'tpot', [50, 95]],
  ['e2e', 'e2e', [50, 95, 99]],
  ['e2ePlanned', 'e2e_planned', [50, 95, 99]],
];
/** So many values must lie beyond a percentile, and so many calls stand behind a share. */
const LEAST_BEYOND = 5;
const LEAST_CALLS = 20;
const PICO = 1e12;

export function sampleFigures(sample: KindSample, seed: string): ReadonlyMap<ComparedMeasure, SampleFigure> {
  const { calls } = sample;
  const resamples = blockResamples(calls.length, seed);
  const figures = new Map<string, SampleFigure>();
  for (const [time, name, percents] of TIMES) {
    const values = calls.flatMap(({ times }, call): Placed[] => {
      const value = times?.[time] ?? null;
      return value === null ? [] : [{ value, block: resamples.blockOf(call) }];
    });
    const sorted = ascending(values.map(({ value }) => value));
    const drawn = resampledPercentiles(values, percents, resamples);
    percents.forEach((percent, index) => {
      const value = percentile(sorted, percent);
      const enough = (values.length * (100 - percent)) / 100 >= LEAST_BEYOND;
      if (value !== null) {
        figures.set(`${name}_p${percent}`, { value, resampled: enough ? (drawn[index] ?? null) : null });
      }
    });
  }
  const sums = (of: (call: KindSample['calls'][number]) => number): readonly number[] => {
    const byBlock = Array.from({ length: resamples.blocks }, () => 0);
    calls.forEach((call, index) => {
      const block = resamples.blockOf(index);
      byBlock[block] = (byBlock[block] ?? 0) + of(call);
    });
    return byBlock;
  };
  const ratio = (name: string, over: readonly number[], under: readonly number[], factor: number): void => {
    const [top, bottom] = [over, under].map((values) => values.reduce((sum, value) => sum + value, 0));
    if (top === undefined || bottom === undefined || bottom === 0) return;
    const enough = calls.length >= LEAST_CALLS;
    const drawn = resampledRatios(over, under, resamples).map((value) => value * factor);
    figures.set(name, { value: (top / bottom) * factor, resampled: enough ? drawn : null });
  };
  const judged = sums((call) => (call.judged ? 1 : 0));
  ratio(
    'error_share',
    sums((call) => (call.judged && call.times === null ? 1 : 0)),
    judged,
    1,
  );
  ratio(
    'bad_share',
    sums((call) => (call.judged && !call.good ? 1 : 0)),
    judged,
    1,
  );
  if (calls.length > 0 && calls.every(({ cost }) => cost !== null)) {
    const good = sums((call) => (call.good ? 1 : 0));
    // An estimate with its error beside it: exact amounts stand in the results of the runs.
    ratio(
      'usd_per_1000_good',
      sums(({ cost }) => Number(cost ?? 0n)),
      good,
      1000 / PICO,
    );
  }
  return new Map(
    [...figures].flatMap(([name, figure]) => (isMeasure(name) ? [[name, figure] as const] : [])),
  );
}

/** Calls that each of two runs needs for an interval of the measure: of a percentile, those that have the time. */
export function leastCalls(measure: ComparedMeasure): number {
  const percent = Number(/_p(\d+)$/.exec(measure)?.[1] ?? Number.NaN);
  return Number.isNaN(percent) ? LEAST_CALLS : Math.ceil((LEAST_BEYOND * 100) / (100 - percent));
}

function isMeasure(name: string): name is ComparedMeasure {
  const known: readonly string[] = COMPARED_MEASURES;
  return known.includes(name);
}

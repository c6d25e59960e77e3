import { COMPARED_MEASURES, type ComparedMeasure } from '../../contracts/comparison.ts';
import { seededRandom } from '../../core/seeded-random.ts';
import type { CallTimes } from '../call-times.ts';
import { ascending, percentile } from '../latency-table.ts';
import type { KindSample } from './kind-sample.ts';

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

/** A value and the block of its call. */
interface Placed {
  readonly value: number;
  readonly block: number;
}

/** The percentile of each resample, as measured ones are: by linear interpolation. NaN where one drew no value. */
function resampledPercentiles(
  values: readonly Placed[],
  percents: readonly number[],
  { blocks, weights }: Resamples,
): readonly (readonly number[])[] {
  const sorted = values.toSorted((left, right) => left.value - right.value);
  const held = new Uint32Array(blocks);
  for (const { block } of values) held[block] = (held[block] ?? 0) + 1;
  const drawn = percents.map(() => new Array<number>(weights.length).fill(Number.NaN));
  weights.forEach((weight, resample) => {
    let count = 0;
    for (let block = 0; block < blocks; block += 1) count += (weight[block] ?? 0) * (held[block] ?? 0);
    if (count === 0) return;
    percentilesOf(sorted, weight, count, percents).forEach((value, index) => {
      const of = drawn[index];
      if (of !== undefined) of[resample] = value;
    });
  });
  return drawn;
}

/** Of values that stand for as many as their block was drawn; `percents` ascending. */
function percentilesOf(
  sorted: readonly Placed[],
  weight: Uint16Array,
  count: number,
  percents: readonly number[],
): readonly number[] {
  const found: number[] = [];
  let passed = 0;
  let index = -1;
  let value = Number.NaN;
  const valueAt = (rank: number): number => {
    while (passed <= rank && index + 1 < sorted.length) {
      index += 1;
      const placed = sorted[index];
      if (placed === undefined) break;
      const times = weight[placed.block] ?? 0;
      if (times > 0) value = placed.value;
      passed += times;
    }
    return value;
  };
  for (const percent of percents) {
    const rank = ((count - 1) * percent) / 100;
    const low = valueAt(Math.floor(rank));
    const high = valueAt(Math.ceil(rank));
    found.push(low + (high - low) * (rank - Math.floor(rank)));
  }
  return found;
}

/** Σ over / Σ under of each resample, of sums by block; NaN where nothing is under. */
function resampledRatios(
  over: readonly number[],
  under: readonly number[],
  { blocks, weights }: Resamples,
): readonly number[] {
  return weights.map((weight) => {
    let top = 0;
    let bottom = 0;
    for (let block = 0; block < blocks; block += 1) {
      top += (weight[block] ?? 0) * (over[block] ?? 0);
      bottom += (weight[block] ?? 0) * (under[block] ?? 0);
    }
    return bottom === 0 ? Number.NaN : top / bottom;
  });
}

/**
 * A block bootstrap. Calls that start close together wait for the same things, so single calls drawn at random would
 * promise more than was measured: what is drawn with replacement are blocks of neighbours. A block has ⌈∛n⌉ calls, or
 * as many as leave 250 blocks.
 */
interface Resamples {
  /** The block of call n. */
  readonly blockOf: (call: number) => number;
  readonly blocks: number;
  /** For each resample how often each block was drawn. */
  readonly weights: readonly Uint16Array[];
}

export const RESAMPLES = 2000;
const MOST_BLOCKS = 250;

/** The same for the same `seed` and number of calls. */
export function blockResamples(calls: number, seed: string): Resamples {
  const length = Math.max(1, Math.ceil(Math.cbrt(calls)), Math.ceil(calls / MOST_BLOCKS));
  const blocks = Math.ceil(calls / length);
  const random = seededRandom('compare', seed, calls);
  const weights = Array.from({ length: RESAMPLES }, () => {
    const drawn = new Uint16Array(blocks);
    for (let draw = 0; draw < blocks; draw += 1) {
      const block = random.below(blocks);
      drawn[block] = (drawn[block] ?? 0) + 1;
    }
    return drawn;
  });
  return { blockOf: (call) => Math.floor(call / length), blocks, weights };
}

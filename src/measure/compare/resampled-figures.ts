import type { Resamples } from './block-resamples.ts';

/** A value and the block of its call. */
export interface Placed {
  readonly value: number;
  readonly block: number;
}

/** The percentile of each resample, as measured ones are: by linear interpolation. NaN where one drew no value. */
export function resampledPercentiles(
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
export function resampledRatios(
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

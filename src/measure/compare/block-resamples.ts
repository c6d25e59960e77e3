import { seededRandom } from '../../core/seeded-random.ts';

/**
 * A block bootstrap. Calls that start close together wait for the same things, so single calls drawn at random would
 * promise more than was measured: what is drawn with replacement are blocks of neighbours. A block has ⌈∛n⌉ calls, or
 * as many as leave 250 blocks.
 */
export interface Resamples {
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

import { hash64, mix64 } from './marker.ts';

/** A stream of numbers in [0, 1) that depends on nothing but its key. */
export interface SeededRandom {
  next(): number;
  /** An integer in [0, bound). */
  below(bound: number): number;
}

const STEP = 0x9e3779b97f4a7c15n;
const MASK = (1n << 64n) - 1n;

export function seededRandom(...key: readonly (string | number)[]): SeededRandom {
  let state = hash64(key.join('\u0000'));
  function next(): number {
    state = (state + STEP) & MASK;
    return Number(mix64(state) >> 11n) / 9_007_199_254_740_992;
  }
  return { next, below: (bound) => Math.floor(next() * bound) };
}

import type { WatermarkShape } from '../contracts/plan.ts';

/** A word that is one token under o200k, its space included. */
const WORD = ' x';

/** How many words pad call `n` of a scenario; calls near in time get numbers far apart. */
export function watermarkOf({ modulus, of, first }: WatermarkShape, n: number): number {
  const counter = ((n % modulus) * (of % modulus) + first) % modulus;
  return (counter * strideOf(modulus)) % modulus;
}

/** The padding of a watermark: that many bytes twice. */
export function watermarkText(words: number): string {
  return WORD.repeat(words);
}

/** Bytes of the padding. */
export function watermarkBytes(words: number): number {
  return WORD.length * words;
}

/**
 * The step nearest to the golden section of the modulus that has no divisor in common with it: every number comes once
 * in `modulus` steps, and those of a few steps lie spread over the whole range.
 */
function strideOf(modulus: number): number {
  const near = Math.floor((modulus * 618 + 500) / 1000);
  for (let away = 0; away < modulus; away += 1) {
    if (isStride(near + away, modulus)) return near + away;
    if (isStride(near - away, modulus)) return near - away;
  }
  return 1;
}

function isStride(step: number, modulus: number): boolean {
  return step >= 1 && step < modulus && greatestDivisor(step, modulus) === 1;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

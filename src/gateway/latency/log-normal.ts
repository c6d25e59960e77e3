import type { SeededRandom } from '../../core/seeded-random.ts';

/** A positive value whose logarithm is normal; `spread` is the standard deviation of that logarithm. */
export interface LogNormal {
  readonly median: number;
  readonly spread: number;
}

export function drawLogNormal(random: SeededRandom, { median, spread }: LogNormal): number {
  return median * Math.exp(spread * standardNormal(random));
}

/** Box-Muller; the first draw is kept off 0, whose logarithm is infinite. */
function standardNormal(random: SeededRandom): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

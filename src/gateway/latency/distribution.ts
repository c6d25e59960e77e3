import * as z from 'zod';
import type { SeededRandom } from '../../core/seeded-random.ts';

/** How a time is drawn, in milliseconds. */
export type LatencyDistribution =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'uniform'; readonly min_ms: number; readonly max_ms: number }
  /** A positive value whose logarithm is normal; `spread` is the standard deviation of that logarithm. */
  | { readonly kind: 'lognormal'; readonly median_ms: number; readonly spread: number };

const DAY_MS = 86_400_000;
const ms = z.number().min(0).max(DAY_MS);
const KINDS = ['fixed', 'uniform', 'lognormal'] as const;

/** As a plan writes it: a mapping with one of the three names. */
export const distributionSchema = z
  .strictObject({
    fixed: z.strictObject({ ms: ms.describe('Always this, ms.') }).optional(),
    uniform: z
      .strictObject({ min_ms: ms.describe('Least, ms.'), max_ms: ms.describe('Most, ms.') })
      .refine(({ min_ms, max_ms }) => min_ms <= max_ms, { error: 'must have min_ms at most max_ms' })
      .optional(),
    lognormal: z
      .strictObject({
        median_ms: ms.describe('Half of the draws lie below it, ms.'),
        spread: z.number().min(0).max(3).describe('Standard deviation of the logarithm.'),
      })
      .optional(),
  })
  .refine((given) => KINDS.filter((kind) => given[kind] !== undefined).length === 1, {
    error: `must have exactly one of ${KINDS.join(', ')}`,
  })
  .meta({ oneOf: KINDS.map((kind) => ({ required: [kind] })) })
  .transform(({ fixed, uniform, lognormal }): LatencyDistribution => {
    if (fixed !== undefined) return { kind: 'fixed', ...fixed };
    if (uniform !== undefined) return { kind: 'uniform', ...uniform };
    return { kind: 'lognormal', ...(lognormal ?? { median_ms: 0, spread: 0 }) };
  });

/** One time, ms. */
export function drawTime(random: SeededRandom, distribution: LatencyDistribution): number {
  switch (distribution.kind) {
    case 'fixed':
      return distribution.ms;
    case 'uniform':
      return distribution.min_ms + random.next() * (distribution.max_ms - distribution.min_ms);
    case 'lognormal':
      return drawLogNormal(random, distribution.median_ms, distribution.spread);
  }
}

/** What the draws are on average, ms. */
export function meanTime(distribution: LatencyDistribution): number {
  switch (distribution.kind) {
    case 'fixed':
      return distribution.ms;
    case 'uniform':
      return (distribution.min_ms + distribution.max_ms) / 2;
    case 'lognormal':
      return distribution.median_ms * Math.exp(distribution.spread ** 2 / 2);
  }
}

export function drawLogNormal(random: SeededRandom, median: number, spread: number): number {
  return median * Math.exp(spread * standardNormal(random));
}

/** Box-Muller; the first draw is kept off 0, whose logarithm is infinite. */
function standardNormal(random: SeededRandom): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

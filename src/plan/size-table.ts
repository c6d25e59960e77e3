import type { Distribution, Range, Spread } from '../config/spread.ts';
import type { SizeTable } from '../contracts/plan.ts';
import { inverseNormal } from './inverse-normal.ts';

/** Most entries of a table: of the rarest 0.05 % at each end no call is drawn. */
export const MOST_SIZES = 1_024;

/**
 * The equally likely whole numbers that stand for a distribution, ascending: its quantiles at (i + ½)/k. Those out
 * of the range become its nearer end. `scale` turns each into another unit.
 */
export function sizeTable(
  spread: Spread,
  { least, most }: Range,
  scale: (size: number) => number = (size) => size,
): SizeTable {
  const within = (size: number): number => scale(Math.min(most, Math.max(least, size)));
  if (typeof spread === 'number') return within(spread);
  const sizes = quantiles(spread).map(within);
  const [first = least] = sizes;
  return sizes.every((size) => size === first) ? first : sizes;
}

function quantiles(distribution: Distribution): number[] {
  if (distribution.distribution === 'uniform') {
    const { min, max } = distribution;
    const values = Math.floor(max) - Math.ceil(min) + 1;
    // Few values stand for themselves, so that each is exactly as likely as the next.
    const count = Math.max(1, Math.min(values, MOST_SIZES));
    return shares(count).map((share) => Math.ceil(min) + Math.floor(share * Math.max(1, values)));
  }
  const { min, max } = distribution;
  return shares(MOST_SIZES).map((share) => {
    const size = Math.round(quantile(distribution, inverseNormal(share)));
    return Math.min(max ?? size, Math.max(min ?? size, size));
  });
}

/** Of a lognormal distribution mean and deviation are given of the values, not of their logarithms. */
function quantile(
  { distribution, mean, stddev }: Exclude<Distribution, { distribution: 'uniform' }>,
  deviate: number,
): number {
  if (distribution === 'normal') return mean + stddev * deviate;
  const variance = Math.log(1 + (stddev / mean) ** 2);
  return Math.exp(Math.log(mean) - variance / 2 + Math.sqrt(variance) * deviate);
}

function shares(count: number): number[] {
  return Array.from({ length: count }, (_, index) => (index + 0.5) / count);
}

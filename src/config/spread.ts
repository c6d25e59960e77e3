import * as z from 'zod';
import { duration, formatDuration } from './duration.ts';
import { optional, wholeBetween } from './key-schemas.ts';

/** Whole numbers of one unit (tokens, turns, ms): the same for all calls, or how they are spread. */
export type Spread = number | Distribution;

export type Distribution =
  | {
      readonly distribution: 'normal' | 'lognormal';
      /** Of the numbers themselves, before `min` and `max` clamp them; for lognormal too. */
      readonly mean: number;
      readonly stddev: number;
      readonly min: number | null;
      readonly max: number | null;
    }
  | { readonly distribution: 'uniform'; readonly min: number; readonly max: number };

export interface Range {
  readonly least: number;
  readonly most: number;
}

/** A whole number within a range, or a distribution over it. `unit` is its name in an error, such as `tokens`. */
export function wholeSpread(unit: string, range: Range) {
  const rule = `must be a whole number of ${unit} from ${range.least} to ${range.most}, or a distribution`;
  const bounded = {
    mean: z.number().min(range.least).max(range.most),
    stddev: z.number().min(0).max(range.most),
  };
  return z.union([
    z.int({ error: rule }).min(range.least).max(range.most),
    distribution({ ...bounded, edge: wholeBetween(range.least, range.most) }),
  ]);
}

/** A duration, or a distribution of durations; milliseconds. */
export const durationSpread = z.union([
  duration,
  distribution({ mean: duration, stddev: duration, edge: duration }),
]);

type NumberSchema = z.ZodType<number, unknown>;

/** `edge`: of `min` and `max`. */
function distribution({ mean, stddev, edge }: Readonly<Record<'mean' | 'stddev' | 'edge', NumberSchema>>) {
  return z
    .strictObject({
      distribution: z.enum(['normal', 'lognormal', 'uniform']).describe('Which distribution.'),
      mean: optional(mean, 'normal and lognormal: mean of the values themselves.'),
      stddev: optional(stddev, 'normal and lognormal: standard deviation of the values themselves.'),
      min: optional(edge, 'Smallest value. Smaller ones are set to it. Required for uniform.'),
      max: optional(edge, 'Largest value. Larger ones are set to it. Required for uniform.'),
    })
    .transform((given, context): Distribution => {
      const refuse = (key: 'mean' | 'stddev' | 'min' | 'max', message: string): void =>
        context.addIssue({ code: 'custom', path: [key], message });
      const isUniform = given.distribution === 'uniform';
      const needed = isUniform ? (['min', 'max'] as const) : (['mean', 'stddev'] as const);
      for (const key of needed) {
        if (given[key] === undefined) refuse(key, `must be given for ${given.distribution}`);
      }
      for (const key of ['mean', 'stddev'] as const) {
        if (isUniform && given[key] !== undefined) refuse(key, 'does not go with uniform');
      }
      const { min = null, max = null } = given;
      if (given.distribution === 'lognormal' && given.mean === 0)
        refuse('mean', 'must be above 0 for lognormal');
      if (min !== null && max !== null && min > max) refuse('max', 'must not be below min');
      if (given.distribution === 'uniform') return { distribution: 'uniform', min: min ?? 0, max: max ?? 0 };
      return { distribution: given.distribution, mean: given.mean ?? 0, stddev: given.stddev ?? 0, min, max };
    });
}

/** As weighbridge.yaml holds it. */
export function spreadDocument(
  spread: Spread,
  show: (value: number) => string | number = (value) => value,
): string | number | { readonly [key: string]: string | number } {
  if (typeof spread === 'number') return show(spread);
  return {
    distribution: spread.distribution,
    ...(spread.distribution === 'uniform' ? {} : { mean: show(spread.mean), stddev: show(spread.stddev) }),
    ...(spread.min === null ? {} : { min: show(spread.min) }),
    ...(spread.max === null ? {} : { max: show(spread.max) }),
  };
}

export function durationSpreadDocument(spread: Spread): ReturnType<typeof spreadDocument> {
  return spreadDocument(spread, formatDuration);
}

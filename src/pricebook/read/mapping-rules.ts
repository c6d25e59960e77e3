import { z } from 'zod';
import { PAID_KINDS } from '../../core/call-kind.ts';
import { priceText } from '../adapters/price-text.ts';
import { type PathStep, parsePath } from './mapping-path.ts';

/** A path, or `$key` for the key that a `*` of `each` stands for. */
export interface MappedPath {
  readonly text: string;
  readonly steps: readonly PathStep[];
  /** Which key: 1 is that of the first `*`, 0 that of the last. Null for a path. */
  readonly key: number | null;
}

export const path = z.string().transform((text, context): MappedPath => {
  const key = /^\$key([1-9]?)$/.exec(text);
  if (key !== null) return { text, steps: [], key: Number(key[1]) };
  const steps = parsePath(text);
  if (steps !== null) return { text, steps, key: null };
  context.addIssue({ code: 'custom', message: 'expected a path such as a.b, a[*].c or prices.*' });
  return z.NEVER;
});

export const number = z
  .string()
  .refine((text) => priceText(text) !== null && Number(text) > 0, 'expected a decimal number above 0');

export const kinds = z.enum(['text', 'image', 'video']);

/** Where a price stands, and what it is for: `per` units, times `factor`, or a ratio of the price of `base`. */
const price = z.strictObject({
  path,
  per: number.optional(),
  factor: number.optional(),
  base: z.enum(['input', 'output']).optional(),
});
export type MappedPrice = z.infer<typeof price>;

export const MAPPED_METERS = [
  'input',
  'output',
  'cache_read',
  'cache_write',
  'reasoning',
  'request',
  'image',
  'video_second',
] as const;
const meters = z.enum(MAPPED_METERS);

/** What one row says: whose price it is, the prices, and when they hold. */
const row = z.strictObject({
  model: path.optional(),
  kind: z.strictObject({ path, values: z.record(z.string(), kinds) }).optional(),
  input: price.optional(),
  output: price.optional(),
  cache_read: price.optional(),
  cache_write: price.optional(),
  reasoning: price.optional(),
  request: price.optional(),
  image: price.optional(),
  video_second: price.optional(),
  max_output_tokens: path.optional(),
  meter: z.union([meters, z.strictObject({ path, values: z.record(z.string(), meters) })]).optional(),
  price: price.optional(),
  size: path.optional(),
  quality: path.optional(),
  resolution: path.optional(),
  seconds: path.optional(),
  service_tier: path.optional(),
  group: path.optional(),
  valid_from: path.optional(),
  valid_to: path.optional(),
  hours_from: path.optional(),
  hours_to: path.optional(),
  above: path.optional(),
  up_to: path.optional(),
});
export type MappedRow = z.infer<typeof row>;

/** One list of models or of rows. */
export const list = z.strictObject({
  each: path,
  /** The calls that its prices are for; all of the model's kind where it names none. */
  calls: z.array(z.enum(PAID_KINDS)).min(1).optional(),
  fields: row.extend({ model: path }),
  variants: row.extend({ each: path }).optional(),
});
export type MappedList = z.infer<typeof list>;

/** The factor of each group, one for all calls or one a kind. */
export const groups = z.strictObject({
  each: path,
  name: path,
  factor: path.optional(),
  text: path.optional(),
  image: path.optional(),
  video: path.optional(),
});

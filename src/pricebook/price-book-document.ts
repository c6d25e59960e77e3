import { z } from 'zod';
import { type Decimal, parseNumberText } from '../core/decimal.ts';

/** A decimal of zero or more, as a JSON string or (read without loss) as a JSON number. */
const price = z
  .string()
  .refine((text) => isPrice(parseNumberText(text)), 'expected a decimal number of at least 0');

const count = z.string().regex(/^\d{1,15}$/, 'expected a whole number');

const textModel = z.looseObject({
  id: z.string().min(1),
  kind: z.literal('text'),
  unit: z.literal('per_1m_tokens'),
  input: price,
  output: price,
  cache_read: price.nullish(),
  cache_write: price.nullish(),
  request: price.nullish(),
  max_output_tokens: count.nullish(),
});

const imageModel = z.looseObject({
  id: z.string().min(1),
  kind: z.literal('image'),
  unit: z.literal('per_image'),
  price: price.nullish(),
  tiers: z
    .array(z.looseObject({ size: z.string().nullish(), quality: z.string().nullish(), price }))
    .nullish(),
});

const videoModel = z.looseObject({
  id: z.string().min(1),
  kind: z.literal('video'),
  unit: z.literal('per_second'),
  price: price.nullish(),
  tiers: z.array(z.looseObject({ resolution: z.string().nullish(), price })).nullish(),
});

const modelEntry = z.discriminatedUnion('kind', [textModel, imageModel, videoModel]);
export type ModelEntry = z.infer<typeof modelEntry>;

/** The book that the embedded gateway serves at /pricing.usd.json, its numbers read by `parseLosslessJson`. */
export const priceBookDocument = z.looseObject({
  object: z.literal('pricebook'),
  pricebook_id: z.string(),
  pricing_version: z.string(),
  currency: z.literal('USD'),
  rounding: z
    .looseObject({
      scope: z.literal('record'),
      quantum: z.string(),
      mode: z.enum(['half_up', 'half_even', 'half_down', 'ceil', 'floor', 'trunc']),
    })
    .nullish(),
  usage_semantics: z.looseObject({ input_includes_cache: z.boolean().nullish() }).nullish(),
  models: z.array(modelEntry),
  adjustments: z
    .array(z.looseObject({ name: z.string(), factor: price, model: z.string().nullish() }))
    .nullish(),
});
export type PriceBookDocument = z.infer<typeof priceBookDocument>;

/** Keys that are mapped or known to say nothing about a price, by the place where they stand. */
export const KNOWN_KEYS = {
  book: [
    'object',
    'pricebook_id',
    'pricing_version',
    'currency',
    'effective_at',
    'updated_at',
    'rounding',
    'usage_semantics',
    'models',
    'adjustments',
  ],
  rounding: ['scope', 'quantum', 'mode'],
  usage_semantics: ['input_includes_cache'],
  text: [
    'id',
    'kind',
    'unit',
    'input',
    'output',
    'cache_read',
    'cache_write',
    'request',
    'context_window',
    'max_output_tokens',
    'created',
  ],
  image: ['id', 'kind', 'unit', 'price', 'tiers', 'created'],
  video: ['id', 'kind', 'unit', 'price', 'tiers', 'max_seconds', 'created'],
  image_tier: ['size', 'quality', 'price'],
  video_tier: ['resolution', 'price'],
  adjustment: ['name', 'factor', 'model'],
} as const;

function isPrice(value: Decimal | null): boolean {
  return value !== null && value.digits >= 0n;
}

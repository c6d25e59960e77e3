import * as z from 'zod';
import { IMAGE_QUALITIES } from '../../models/image-models.ts';
import { unixTime } from './plain-values.ts';

/** interface §2, model list. */
export const modelList = z.strictObject({
  object: z.literal('list'),
  data: z.array(
    z.strictObject({
      id: z.string(),
      object: z.literal('model'),
      created: unixTime,
      owned_by: z.string(),
    }),
  ),
});

const price = z
  .string()
  .regex(/^[0-9]+(\.[0-9]+)?$/)
  .describe('USD');

const tokenPrices = {
  input: price,
  output: price,
  cache_read: price.optional(),
  cache_write: price.optional(),
  reasoning: price.optional().describe('Of reasoning tokens, which are inside the output'),
};

const contextTiers = z
  .strictObject({
    basis: z.literal('context_len'),
    mode: z.literal('cliff'),
    inclusive: z.enum(['gt', 'ge']),
    thresholds: z.array(z.strictObject({ above: z.int().min(1), ...tokenPrices })),
  })
  .describe(
    'The whole call takes the prices of the last threshold that its context, cache included, is beyond',
  );

const pricedModel = z.discriminatedUnion('kind', [
  z.strictObject({
    id: z.string(),
    kind: z.literal('text'),
    unit: z.literal('per_1m_tokens'),
    ...tokenPrices,
    tiers: contextTiers.optional(),
    service_tiers: z.array(z.strictObject({ service_tier: z.string(), ...tokenPrices })).optional(),
    tools: z
      .array(z.strictObject({ tool: z.string(), price }))
      .optional()
      .describe('A call of the tool'),
    context_window: z.int().min(1),
    max_output_tokens: z.int().min(1),
  }),
  z.strictObject({
    id: z.string(),
    kind: z.literal('image'),
    unit: z.literal('per_image'),
    tiers: z.array(z.strictObject({ size: z.string(), quality: z.enum(IMAGE_QUALITIES), price })),
  }),
  z.strictObject({
    id: z.string(),
    kind: z.literal('video'),
    unit: z.literal('per_second'),
    tiers: z.array(z.strictObject({ resolution: z.string(), price })),
    max_seconds: z.int().min(1),
  }),
]);

/** interface §2, pricebook. */
export const priceBook = z.strictObject({
  object: z.literal('pricebook'),
  pricebook_id: z.string(),
  pricing_version: z.string(),
  currency: z.literal('USD'),
  effective_at: unixTime,
  updated_at: unixTime,
  rounding: z.strictObject({ scope: z.literal('record'), quantum: price, mode: z.literal('half_up') }),
  usage_semantics: z.strictObject({
    input_includes_cache: z.boolean(),
    output_includes_reasoning: z.boolean(),
  }),
  models: z.array(pricedModel),
  adjustments: z.array(z.never()),
});

/** This description itself: any OpenAPI 3.1 document. */
export const apiDescription = z.looseObject({ openapi: z.string().regex(/^3\.1\./) });

import * as z from 'zod';
import { formatDecimal, multiplyDecimal, normalise, parseDecimal } from '../../core/decimal.ts';
import type { Model, ModelTextPrices } from '../models/model.ts';

const PRICE = /^\d{1,9}(\.\d{1,12})?$/;
const FACTOR = /^\d{1,4}(\.\d{1,6})?$/;

const price = z.string().regex(PRICE, {
  error: 'must be USD as decimal text of at most 12 decimals',
});

const changedPrices = z
  .strictObject({
    input: price.optional().describe('Text: USD per 1,000,000 input tokens.'),
    output: price.optional().describe('Text: USD per 1,000,000 output tokens.'),
    cache_read: price.optional().describe('Text: where the model has a price for it.'),
    cache_write: price.optional().describe('Text: where the model has a price for it.'),
    tiers: z
      .array(
        z.strictObject({
          size: z.string().optional().describe('Images.'),
          quality: z.string().optional().describe('Images.'),
          resolution: z.string().optional().describe('Videos.'),
          price,
        }),
      )
      .optional()
      .describe('Images and videos: every tier that has the fields given takes the price.'),
  })
  .describe('The prices of one model that change.');

export const priceChangeShape = {
  factor: z
    .string()
    .regex(FACTOR, { error: 'must be decimal text of at most 6 decimals' })
    .optional()
    .describe('All prices are multiplied by it.'),
  models: z.record(z.string().min(1), changedPrices).optional().describe('By model id.'),
};

/** All prices change by one factor, or those of some models do. */
export type PriceChange = Readonly<z.infer<z.ZodObject<typeof priceChangeShape>>>;

export function isOneChange({ factor, models }: PriceChange): boolean {
  return (factor === undefined) !== (models === undefined);
}

/** What changes in the price book. */
export const priceChange = z
  .strictObject(priceChangeShape)
  .refine(isOneChange, { error: 'must have exactly one of factor, models' });

/** A price change that names what the catalogue does not have. */
export class UnknownPrice extends Error {}

/** The models at their new prices; throws UnknownPrice for a model, price or tier that does not exist. */
export function withChange(models: readonly Model[], change: PriceChange): readonly Model[] {
  const { factor, models: changed = {} } = change;
  if (factor !== undefined) return models.map((model) => multiplied(model, factor));
  for (const id of Object.keys(changed)) {
    if (!models.some((model) => model.id === id)) throw new UnknownPrice(`no model ${JSON.stringify(id)}`);
  }
  return models.map((model) => {
    const fields = changed[model.id];
    return fields === undefined ? model : repriced(model, fields);
  });
}

function multiplied(model: Model, factor: string): Model {
  const by = (text: string): string => times(text, factor);
  switch (model.kind) {
    case 'text': {
      const { context_tiers, service_tiers, tools } = model;
      return {
        ...model,
        ...multipliedPrices(model, by),
        ...(context_tiers === undefined
          ? {}
          : {
              context_tiers: {
                ...context_tiers,
                thresholds: context_tiers.thresholds.map((tier) => ({
                  ...tier,
                  ...multipliedPrices(tier, by),
                })),
              },
            }),
        ...(service_tiers === undefined
          ? {}
          : { service_tiers: service_tiers.map((tier) => ({ ...tier, ...multipliedPrices(tier, by) })) }),
        ...(tools === undefined ? {} : { tools: tools.map((tool) => ({ ...tool, price: by(tool.price) })) }),
      };
    }
    case 'image':
      return {
        ...model,
        tiers: model.tiers.map((tier) => ({ ...tier, price: by(tier.price) })),
        ...(model.edit_fee === undefined ? {} : { edit_fee: by(model.edit_fee) }),
      };
    case 'video':
      return { ...model, tiers: model.tiers.map((tier) => ({ ...tier, price: by(tier.price) })) };
  }
}

function multipliedPrices(prices: ModelTextPrices, by: (text: string) => string): ModelTextPrices {
  const { input, output, cache_read, cache_write, reasoning } = prices;
  return {
    input: by(input),
    output: by(output),
    cache_read: cache_read === null ? null : by(cache_read),
    cache_write: cache_write === null ? null : by(cache_write),
    ...(reasoning === undefined ? {} : { reasoning: by(reasoning) }),
  };
}

type ChangedPrices = z.infer<typeof changedPrices>;
type ChangedTier = NonNullable<ChangedPrices['tiers']>[number];

function repriced(model: Model, fields: ChangedPrices): Model {
  const { tiers, ...perToken } = fields;
  const named = Object.keys(perToken);
  if (model.kind === 'text') {
    if (tiers !== undefined) throw new UnknownPrice(`the model ${model.id} has no tiers`);
    for (const name of ['cache_read', 'cache_write'] as const) {
      if (perToken[name] !== undefined && model[name] === null)
        throw new UnknownPrice(`the model ${model.id} has no ${name} price`);
    }
    return {
      ...model,
      input: perToken.input ?? model.input,
      output: perToken.output ?? model.output,
      cache_read: perToken.cache_read ?? model.cache_read,
      cache_write: perToken.cache_write ?? model.cache_write,
    };
  }
  if (named.length > 0) throw new UnknownPrice(`the model ${model.id} has no ${named.join(', ')} price`);
  for (const wanted of tiers ?? []) {
    if (!model.tiers.some((tier) => isTier(tier, wanted)))
      throw new UnknownPrice(`the model ${model.id} has no tier ${JSON.stringify(wanted)}`);
  }
  const priceOf = (tier: object, held: string): string =>
    tiers?.findLast((wanted) => isTier(tier, wanted))?.price ?? held;
  return model.kind === 'image'
    ? { ...model, tiers: model.tiers.map((tier) => ({ ...tier, price: priceOf(tier, tier.price) })) }
    : { ...model, tiers: model.tiers.map((tier) => ({ ...tier, price: priceOf(tier, tier.price) })) };
}

function isTier(tier: object, { price: _, ...wanted }: ChangedTier): boolean {
  const held = new Map<string, unknown>(Object.entries(tier));
  return Object.entries(wanted).every(([name, value]) => value === undefined || held.get(name) === value);
}

function times(price: string, factor: string): string {
  const left = parseDecimal(price);
  const right = parseDecimal(factor);
  if (left === null || right === null) throw new RangeError(`not a plain decimal: ${price}, ${factor}`);
  return formatDecimal(normalise(multiplyDecimal(left, right)));
}

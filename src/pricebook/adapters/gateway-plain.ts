import { z } from 'zod';
import type { ModelPrice, PriceComponent } from '../../contracts/price-book.ts';
import type { BookAdapter } from './book-adapter.ts';
import { countOf, perUnit } from './components.ts';
import {
  CONTEXT_TIER_KEYS,
  chargeRules,
  checkRules,
  contextTiers,
  count,
  gatewayRules,
  imageModels,
  price,
  ruleRounding,
  validFrom,
} from './gateway-rules.ts';
import { parsedBy } from './parsed-by.ts';
import { plainModel } from './plain-model.ts';
import { priceText } from './price-text.ts';
import { gatewayTextModel, type TextPrices } from './text-prices.ts';
import { isMapping, type UnmappedKeys } from './unmapped-keys.ts';

const textPrices = {
  input: price,
  output: price,
  cache_read: price.nullish(),
  cache_write: price.nullish(),
  reasoning: price.nullish(),
};
const TEXT_PRICE_KEYS = Object.keys(textPrices);

const textModel = z.looseObject({
  id: z.string().min(1),
  kind: z.literal('text'),
  unit: z.literal('per_1m_tokens'),
  ...textPrices,
  request: price.nullish(),
  tiers: contextTiers(z.looseObject({ above: count, ...textPrices })).nullish(),
  service_tiers: z.array(z.looseObject({ service_tier: z.string().min(1), ...textPrices })).nullish(),
  tools: z.array(z.looseObject({ tool: z.string().min(1), price })).nullish(),
  max_output_tokens: count.nullish(),
});

const imageModel = z.looseObject({
  id: z.string().min(1),
  kind: z.literal('image'),
  edit_fee: price.nullish(),
  unit: z.literal('per_image'),
  price: price.nullish(),
  tiers: z
    .array(z.looseObject({ size: z.string().nullish(), quality: z.string().nullish(), price }))
    .nullish(),
});

const videoModel = z.looseObject({
  id: z.string().min(1),
  kind: z.literal('video'),
  unit: z.enum(['per_second', 'per_video']),
  price: price.nullish(),
  tiers: z.array(z.looseObject({ resolution: z.string().nullish(), price })).nullish(),
});

const modelEntry = z.discriminatedUnion('kind', [textModel, imageModel, videoModel]);
type ModelEntry = z.infer<typeof modelEntry>;

const document = z.looseObject({
  ...gatewayRules,
  object: z.literal('pricebook'),
  pricebook_id: z.string(),
  pricing_version: z.string(),
  currency: z.literal('USD'),
  effective_at: count.nullish(),
  models: z.array(modelEntry),
});

/** Keys that are read or known to say nothing about a price. */
const KNOWN = {
  book: [
    ...Object.keys(gatewayRules),
    'object',
    'pricebook_id',
    'pricing_version',
    'currency',
    'effective_at',
    'updated_at',
    'models',
  ],
  text: [
    ...TEXT_PRICE_KEYS,
    'id',
    'kind',
    'unit',
    'request',
    'tiers',
    'service_tiers',
    'tools',
    'context_window',
    'max_output_tokens',
    'created',
  ],
  image: ['id', 'kind', 'unit', 'price', 'tiers', 'edit_fee', 'created'],
  video: ['id', 'kind', 'unit', 'price', 'tiers', 'max_seconds', 'created'],
};

/** The embedded gateway's book in prices per million tokens. */
export const gatewayPlain: BookAdapter = {
  kind: 'gateway-pricing',
  name: 'gateway plain',
  recognises: (value) => (isMapping(value) && value['object'] === 'pricebook' ? 'surely' : 'no'),
  read(value, unmapped) {
    const parsed = parsedBy(document, value);
    if ('unreadable' in parsed) return parsed;
    const { data } = parsed;
    unmapped.check('', data, KNOWN.book);
    checkRules(data, unmapped);
    const models = data.models.flatMap((entry) => modelsOf(entry, unmapped));
    return {
      parts: {
        pricebook_id: data.pricebook_id,
        pricing_version: data.pricing_version,
        valid_from: validFrom(data.effective_at),
        ...chargeRules(data),
        models,
      },
      rounding: ruleRounding(data),
      models_total: data.models.length,
      unsupported: [],
      assumptions: [],
    };
  },
};

function modelsOf(entry: ModelEntry, unmapped: UnmappedKeys): readonly ModelPrice[] {
  unmapped.check('models[]', entry, KNOWN[entry.kind], entry.id);
  if (entry.kind === 'text') return textModels(entry, unmapped);
  const meter = entry.kind === 'image' ? 'image' : entry.unit === 'per_video' ? 'request' : 'video_second';
  const tiers = (entry.tiers ?? []).flatMap((tier): readonly PriceComponent[] => {
    unmapped.check('models[].tiers[]', tier, [...OPTIONS[entry.kind], 'price'], entry.id);
    return perUnit(meter, priceText(tier.price), optionsOf(tier, OPTIONS[entry.kind]));
  });
  const components = [...perUnit(meter, priceText(entry.price)), ...tiers];
  return entry.kind === 'image'
    ? imageModels(entry.id, components, entry)
    : [plainModel(entry.id, entry.kind, components)];
}

const OPTIONS = { image: ['size', 'quality'], video: ['resolution'] } as const;

function optionsOf(
  tier: Readonly<Record<string, unknown>>,
  options: readonly ('size' | 'quality' | 'resolution')[],
): Partial<PriceComponent> {
  return Object.fromEntries(
    options.flatMap((option) => (typeof tier[option] === 'string' ? [[option, tier[option]]] : [])),
  );
}

function textModels(entry: z.infer<typeof textModel>, unmapped: UnmappedKeys): readonly ModelPrice[] {
  const { id, tiers, service_tiers, tools } = entry;
  const prices = pricesOf(entry);
  unmapped.check('models[].tiers', tiers, CONTEXT_TIER_KEYS, id);
  tiers?.thresholds.forEach((threshold) => {
    unmapped.check('models[].tiers.thresholds[]', threshold, ['above', ...TEXT_PRICE_KEYS], id);
  });
  service_tiers?.forEach((tier) => {
    unmapped.check('models[].service_tiers[]', tier, ['service_tier', ...TEXT_PRICE_KEYS], id);
  });
  tools?.forEach((tool) => {
    unmapped.check('models[].tools[]', tool, ['tool', 'price'], id);
  });
  return gatewayTextModel({
    id,
    prices,
    fixed: [
      ...perUnit('request', priceText(entry.request)),
      ...(tools ?? []).flatMap(({ tool, price: fee }) => perUnit('tool_call', priceText(fee), { tool })),
    ],
    tiers,
    service_tiers,
    pricesOf,
    max_output_tokens: countOf(entry.max_output_tokens),
  });
}

function pricesOf(held: {
  readonly input: string;
  readonly output: string;
  readonly cache_read?: string | null | undefined;
  readonly cache_write?: string | null | undefined;
  readonly reasoning?: string | null | undefined;
}): TextPrices {
  return {
    input: priceText(held.input),
    output: priceText(held.output),
    cache_read: priceText(held.cache_read),
    cache_write: priceText(held.cache_write),
    reasoning: priceText(held.reasoning),
  };
}

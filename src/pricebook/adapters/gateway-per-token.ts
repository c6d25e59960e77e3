import { z } from 'zod';
import type { ModelPrice } from '../../contracts/price-book.ts';
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
import { priceText, product, ratioOf, whole } from './price-text.ts';
import { gatewayTextModel, type TextPrices } from './text-prices.ts';
import { isMapping, type UnmappedKeys } from './unmapped-keys.ts';

const textPricing = z.looseObject({
  prompt: price,
  completion: price,
  input_cache_read: price.nullish(),
  input_cache_write: price.nullish(),
  internal_reasoning: price.nullish(),
  request: price.nullish(),
});
const PRICING_KEYS = Object.keys(textPricing.shape);

const textModel = z.looseObject({
  type: z.literal('text'),
  pricing: textPricing,
  context_pricing: contextTiers(z.looseObject({ above: count, pricing: textPricing })).nullish(),
  service_pricing: z
    .array(z.looseObject({ service_tier: z.string().min(1), pricing: textPricing }))
    .nullish(),
  tool_pricing: z.array(z.looseObject({ tool: z.string().min(1), price })).nullish(),
  max_output_tokens: count.nullish(),
});

const imageModel = z.looseObject({
  type: z.literal('image'),
  edit_fee: price.nullish(),
  variants: z.array(
    z.looseObject({
      size: z.string().nullish(),
      quality: z.string().nullish(),
      pricing: z.looseObject({ image: price }),
    }),
  ),
});

const videoModel = z.looseObject({
  type: z.literal('video'),
  variants: z.array(
    z.looseObject({
      resolution: z.string().nullish(),
      pricing: z.union([z.looseObject({ second: price }), z.looseObject({ video: price })]),
    }),
  ),
});

const entrySchema = z.discriminatedUnion('type', [textModel, imageModel, videoModel]);

const document = z.looseObject({
  ...gatewayRules,
  version: z.looseObject({
    pricebook_id: z.string(),
    pricing_version: z.string(),
    effective_at: count.nullish(),
  }),
  unit: z.looseObject({ currency: z.literal('USD'), tokens: z.literal('1') }),
  models: z.record(z.string().min(1), entrySchema),
});

/** The embedded gateway's book as prices of one token, nested by model id. */
export const gatewayPerToken: BookAdapter = {
  kind: 'gateway-pricing',
  name: 'gateway per token',
  recognises: (value) =>
    isMapping(value) && isMapping(value['unit']) && isMapping(value['version']) && isMapping(value['models'])
      ? 'surely'
      : 'no',
  read(value, unmapped) {
    const parsed = parsedBy(document, value);
    if ('unreadable' in parsed) return parsed;
    const { data } = parsed;
    unmapped.check('', data, [...Object.keys(gatewayRules), 'version', 'unit', 'models']);
    unmapped.check('version', data.version, [
      'pricebook_id',
      'pricing_version',
      'effective_at',
      'updated_at',
    ]);
    unmapped.check('unit', data.unit, ['currency', 'tokens']);
    checkRules(data, unmapped);
    const models = Object.entries(data.models);
    return {
      parts: {
        pricebook_id: data.version.pricebook_id,
        pricing_version: data.version.pricing_version,
        valid_from: validFrom(data.version.effective_at),
        ...chargeRules(data),
        models: models.flatMap(([id, entry]) => modelsOf(id, entry, unmapped)),
      },
      rounding: ruleRounding(data),
      models_total: models.length,
      unsupported: [],
      assumptions: [],
    };
  },
};

function modelsOf(
  id: string,
  entry: z.infer<typeof entrySchema>,
  unmapped: UnmappedKeys,
): readonly ModelPrice[] {
  const at = 'models.*';
  switch (entry.type) {
    case 'text':
      return textModels(id, entry, unmapped);
    case 'image':
      unmapped.check(at, entry, ['type', 'variants', 'edit_fee'], id);
      return imageModels(
        id,
        entry.variants.flatMap((variant) => {
          const { size, quality, pricing } = variant;
          unmapped.check(`${at}.variants[]`, variant, ['size', 'quality', 'pricing'], id);
          unmapped.check(`${at}.variants[].pricing`, pricing, ['image'], id);
          return perUnit('image', priceText(pricing.image), {
            ...(typeof size === 'string' ? { size } : {}),
            ...(typeof quality === 'string' ? { quality } : {}),
          });
        }),
        entry,
      );
    case 'video':
      unmapped.check(at, entry, ['type', 'variants'], id);
      return [
        plainModel(
          id,
          'video',
          entry.variants.flatMap((variant) => {
            const { resolution, pricing } = variant;
            unmapped.check(`${at}.variants[]`, variant, ['resolution', 'pricing'], id);
            const isWhole = 'video' in pricing;
            unmapped.check(`${at}.variants[].pricing`, pricing, [isWhole ? 'video' : 'second'], id);
            const [meter, of] = isWhole
              ? (['request', pricing.video] as const)
              : (['video_second', pricing.second] as const);
            return perUnit(meter, priceText(of), {
              ...(typeof resolution === 'string' ? { resolution } : {}),
            });
          }),
        ),
      ];
  }
}

function textModels(
  id: string,
  entry: z.infer<typeof textModel>,
  unmapped: UnmappedKeys,
): readonly ModelPrice[] {
  const at = 'models.*';
  const { pricing, context_pricing: tiers, service_pricing, tool_pricing } = entry;
  unmapped.check(at, entry, TEXT_KEYS, id);
  unmapped.check(`${at}.pricing`, pricing, PRICING_KEYS, id);
  unmapped.check(`${at}.context_pricing`, tiers, CONTEXT_TIER_KEYS, id);
  tiers?.thresholds.forEach((held) => {
    unmapped.check(`${at}.context_pricing.thresholds[]`, held, ['above', 'pricing'], id);
    unmapped.check(`${at}.context_pricing.thresholds[].pricing`, held.pricing, PRICING_KEYS, id);
  });
  service_pricing?.forEach((held) => {
    unmapped.check(`${at}.service_pricing[]`, held, ['service_tier', 'pricing'], id);
    unmapped.check(`${at}.service_pricing[].pricing`, held.pricing, PRICING_KEYS, id);
  });
  tool_pricing?.forEach((held) => {
    unmapped.check(`${at}.tool_pricing[]`, held, ['tool', 'price'], id);
  });
  const prices = pricesOf(pricing);
  return gatewayTextModel({
    id,
    prices,
    fixed: [
      ...perUnit('request', priceText(pricing.request)),
      ...(tool_pricing ?? []).flatMap(({ tool, price: fee }) =>
        perUnit('tool_call', priceText(fee), { tool }),
      ),
    ],
    tiers,
    service_tiers: service_pricing,
    pricesOf: (held) => pricesOf(held.pricing),
    max_output_tokens: countOf(entry.max_output_tokens),
  });
}

const TEXT_KEYS = [
  'type',
  'pricing',
  'context_pricing',
  'service_pricing',
  'tool_pricing',
  'context_length',
  'max_output_tokens',
];

/** USD of one token as USD of a million. */
function pricesOf(pricing: z.infer<typeof textPricing>): TextPrices {
  const million = (text: string | null | undefined): string | null =>
    text === null || text === undefined ? null : product(ratioOf(text), whole(1_000_000));
  return {
    input: million(pricing.prompt),
    output: million(pricing.completion),
    cache_read: million(pricing.input_cache_read),
    cache_write: million(pricing.input_cache_write),
    reasoning: million(pricing.internal_reasoning),
  };
}

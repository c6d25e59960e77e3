import { z } from 'zod';
import type { ModelPrice, PriceComponent } from '../../contracts/price-book.ts';
import type { Rational } from '../../core/rational.ts';
import type { BookAdapter, UnsupportedPrice } from './book-adapter.ts';
import { perUnit } from './components.ts';
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
import { plainAdjustment, plainModel } from './plain-model.ts';
import { priceText, product, ratioOf } from './price-text.ts';
import { gatewayTextModel, type TextPrices } from './text-prices.ts';
import { isMapping, type UnmappedKeys } from './unmapped-keys.ts';

const ratio = z
  .string()
  .refine((text) => ratioOf(text) !== null, 'expected a number of at least 0, or a fraction such as 219/55');

const ratios = {
  model_ratio: ratio,
  completion_ratio: ratio.nullish(),
  cache_ratio: ratio.nullish(),
  create_cache_ratio: ratio.nullish(),
  reasoning_ratio: ratio.nullish(),
  completion_price: price.nullish(),
  cache_price: price.nullish(),
  create_cache_price: price.nullish(),
  reasoning_price: price.nullish(),
};
const RATIO_KEYS = Object.keys(ratios);
type Ratios = Readonly<Partial<Record<keyof typeof ratios, string | null | undefined>>>;

const textModel = z.looseObject({
  model_name: z.string().min(1),
  quota_type: z.literal('0'),
  ...ratios,
  context_tiers: contextTiers(z.looseObject({ above: count, ...ratios })).nullish(),
  service_tiers: z.array(z.looseObject({ service_tier: z.string().min(1), ...ratios })).nullish(),
  tool_prices: z.array(z.looseObject({ tool: z.string().min(1), price })).nullish(),
});

const unitModel = z.looseObject({
  model_name: z.string().min(1),
  quota_type: z.literal('1'),
  model_price: price,
  edit_fee: price.nullish(),
  per: z.enum(['image', 'second', 'video']),
  variants: z.array(
    z.looseObject({
      size: z.string().nullish(),
      quality: z.string().nullish(),
      resolution: z.string().nullish(),
      price_ratio: ratio,
    }),
  ),
});

const document = z.looseObject({
  ...gatewayRules,
  pricebook_id: z.string(),
  pricing_version: z.string(),
  currency: z.literal('USD'),
  effective_at: count.nullish(),
  base_usd_per_million_tokens: price,
  group_ratio: z.record(z.string(), ratio).nullish(),
  data: z.array(z.discriminatedUnion('quota_type', [textModel, unitModel])),
});

const KNOWN = {
  book: [
    ...Object.keys(gatewayRules),
    'success',
    'pricebook_id',
    'pricing_version',
    'currency',
    'effective_at',
    'updated_at',
    'base_usd_per_million_tokens',
    'group_ratio',
    'data',
  ],
  text: ['model_name', 'quota_type', ...RATIO_KEYS, 'context_tiers', 'service_tiers', 'tool_prices'],
  unit: ['model_name', 'quota_type', 'model_price', 'per', 'variants', 'edit_fee'],
  variant: ['size', 'quality', 'resolution', 'price_ratio'],
};

/** The embedded gateway's book as ratios to a base price, fractions where a decimal has no end. */
export const gatewayRatio: BookAdapter = {
  kind: 'gateway-pricing',
  name: 'gateway ratio',
  recognises: (value) =>
    isMapping(value) && 'base_usd_per_million_tokens' in value && Array.isArray(value['data'])
      ? 'surely'
      : 'no',
  read(value, unmapped) {
    const parsed = parsedBy(document, value);
    if ('unreadable' in parsed) return parsed;
    const { data } = parsed;
    unmapped.check('', data, KNOWN.book);
    checkRules(data, unmapped);
    const base = ratioOf(data.base_usd_per_million_tokens);
    const unsupported: UnsupportedPrice[] = [];
    const models = data.data.flatMap((entry) =>
      entry.quota_type === '0'
        ? textModels(entry, base, unmapped, unsupported)
        : unitModels(entry, unmapped, unsupported),
    );
    const rules = chargeRules(data);
    return {
      parts: {
        ...rules,
        pricebook_id: data.pricebook_id,
        pricing_version: data.pricing_version,
        valid_from: validFrom(data.effective_at),
        models,
        // A factor of 0 makes a group free: it is a factor, not a missing one.
        adjustments: [
          ...Object.entries(data.group_ratio ?? {}).flatMap(([group, factor], order) => {
            const held = product(ratioOf(factor));
            if (held === null)
              unsupported.push({ model: '*', text: `group_ratio.${group}: ${factor} has no end` });
            return held === null ? [] : [plainAdjustment(`group ${group}`, held, { group, order })];
          }),
          ...rules.adjustments,
        ],
      },
      rounding: ruleRounding(data),
      models_total: data.data.length,
      unsupported,
      assumptions: [],
    };
  },
};

function textModels(
  entry: z.infer<typeof textModel>,
  base: Rational | null,
  unmapped: UnmappedKeys,
  unsupported: UnsupportedPrice[],
): readonly ModelPrice[] {
  const { model_name: id, context_tiers: tiers, service_tiers, tool_prices } = entry;
  unmapped.check('data[]', entry, KNOWN.text, id);
  unmapped.check('data[].context_tiers', tiers, CONTEXT_TIER_KEYS, id);
  tiers?.thresholds.forEach((held) => {
    unmapped.check('data[].context_tiers.thresholds[]', held, ['above', ...RATIO_KEYS], id);
  });
  service_tiers?.forEach((held) => {
    unmapped.check('data[].service_tiers[]', held, ['service_tier', ...RATIO_KEYS], id);
  });
  tool_prices?.forEach((held) => {
    unmapped.check('data[].tool_prices[]', held, ['tool', 'price'], id);
  });
  const pricesOf = (held: Ratios): TextPrices => {
    const input = ratioOf(held.model_ratio);
    const priced = (key: string, factor: string | null | undefined, direct: string | null | undefined) => {
      if (factor === null || factor === undefined) return priceText(direct);
      const found = product(base, input, ratioOf(factor));
      if (found === null)
        unsupported.push({ model: id, text: `${key}: ${factor} gives a price without an end` });
      return found;
    };
    return {
      input: priced('model_ratio', '1', null),
      output: priced('completion_ratio', held.completion_ratio, held.completion_price),
      cache_read: priced('cache_ratio', held.cache_ratio, held.cache_price),
      cache_write: priced('create_cache_ratio', held.create_cache_ratio, held.create_cache_price),
      reasoning: priced('reasoning_ratio', held.reasoning_ratio, held.reasoning_price),
    };
  };
  const prices = pricesOf(entry);
  return gatewayTextModel({
    id,
    prices,
    fixed: (tool_prices ?? []).flatMap(({ tool, price: fee }) =>
      perUnit('tool_call', priceText(fee), { tool }),
    ),
    tiers,
    service_tiers,
    pricesOf,
    max_output_tokens: null,
  });
}

const METERS_PER = { image: 'image', second: 'video_second', video: 'request' } as const;

function unitModels(
  entry: z.infer<typeof unitModel>,
  unmapped: UnmappedKeys,
  unsupported: UnsupportedPrice[],
): readonly ModelPrice[] {
  const { model_name: id, model_price, per, variants } = entry;
  unmapped.check('data[]', entry, KNOWN.unit, id);
  const meter = METERS_PER[per];
  const components = variants.flatMap((variant): readonly PriceComponent[] => {
    unmapped.check('data[].variants[]', variant, KNOWN.variant, id);
    const { size, quality, resolution, price_ratio } = variant;
    const found = product(ratioOf(model_price), ratioOf(price_ratio));
    if (found === null) {
      unsupported.push({ model: id, text: `price_ratio: ${price_ratio} gives a price without an end` });
    }
    return perUnit(meter, found, {
      ...(typeof size === 'string' ? { size } : {}),
      ...(typeof quality === 'string' ? { quality } : {}),
      ...(typeof resolution === 'string' ? { resolution } : {}),
    });
  });
  return per === 'image' ? imageModels(id, components, entry) : [plainModel(id, 'video', components)];
}

import { z } from 'zod';
import type { ModelPrice, PriceComponent } from '../../contracts/price-book.ts';
import { AMOUNT_SCALE, formatAmount } from '../../core/amount.ts';
import { type Rational, rational } from '../../core/rational.ts';
import { billingExpression } from './billing-expression.ts';
import type { BookAdapter, UnsupportedPrice } from './book-adapter.ts';
import { perMillion, perUnit } from './components.ts';
import { parsedBy } from './parsed-by.ts';
import { plainAdjustment, plainModel } from './plain-model.ts';
import { priceText, product, ratioOf, whole } from './price-text.ts';
import { isMapping, type UnmappedKeys } from './unmapped-keys.ts';

const number = z.string().refine((text) => priceText(text) !== null, 'expected a number of at least 0');
const optional = number.nullish();

/** A price of one size of an image, or of a second of one resolution. */
const gridSchema = z.looseObject({
  Size: z.string().nullish(),
  Quality: z.string().nullish(),
  Resolution: z.string().nullish(),
  Pricing: number,
  PricingSuffix: z.string(),
});
const GRID_KEYS = Object.keys(gridSchema.shape);

const entrySchema = z.looseObject({
  model_name: z.string().min(1),
  quota_type: z.enum(['0', '1']),
  model_ratio: optional,
  model_price: optional,
  completion_ratio: optional,
  cache_ratio: optional,
  create_cache_ratio: optional,
  image_ratio: optional,
  audio_ratio: optional,
  audio_completion_ratio: optional,
  billing_mode: z.string().nullish(),
  billing_expr: z.string().nullish(),
  pricing_version: z.string().nullish(),
  supported_endpoint_types: z.array(z.string()).nullish(),
  grid_pricing: z.array(gridSchema).nullish(),
});
type Entry = z.infer<typeof entrySchema>;

/** Units of quota that are 1 USD, unless the list says otherwise. A ratio of 1 is a unit a token. */
const USUAL_UNITS = '500000';
const TOKENS = 1_000_000n;
const PICO_PER_USD = 10n ** BigInt(AMOUNT_SCALE);

const document = z.looseObject({
  data: z.array(entrySchema),
  group_ratio: z.record(z.string(), number).nullish(),
  pricing_version: z.string().nullish(),
  /** Of `GET /api/status`; whoever fetches the list adds it. */
  quota_per_unit: z
    .string()
    .regex(/^[1-9]\d{0,11}$/, 'expected a whole number of units')
    .optional(),
});

const BOOK_KEYS = [
  'success',
  'message',
  'data',
  'group_ratio',
  'usable_group',
  'auto_groups',
  'supported_endpoint',
  'vendors',
  'pricing_version',
  'quota_per_unit',
];
const ENTRY_KEYS = [
  ...Object.keys(entrySchema.shape),
  'owner_by',
  'enable_groups',
  'description',
  'icon',
  'tags',
  'vendor_id',
];

const ONE = whole(1);
/** Tokens that are kept for an hour, over those that are kept for five minutes. */
const HOUR_RATIO = rational(8n, 5n);

/** What `GET /api/pricing` of the new-api family answers. */
export const newApi: BookAdapter = {
  kind: 'new-api',
  name: 'new-api',
  recognises(value) {
    if (!isMapping(value) || 'base_usd_per_million_tokens' in value || !Array.isArray(value['data']))
      return 'no';
    const first: unknown = value['data'][0];
    return typeof first === 'object' && first !== null && 'model_name' in first && 'quota_type' in first
      ? 'surely'
      : 'no';
  },
  read(value, unmapped) {
    const parsed = parsedBy(document, value);
    if ('unreadable' in parsed) return parsed;
    const { data: entries, group_ratio, pricing_version, quota_per_unit: told } = parsed.data;
    const units = BigInt(told ?? USUAL_UNITS);
    const usdAtRatio1 = rational(TOKENS, units);
    unmapped.check('', parsed.data, BOOK_KEYS);
    const unsupported: UnsupportedPrice[] = [];
    const models = entries.flatMap((entry) => modelsOf(entry, usdAtRatio1, unmapped, unsupported));
    // Only the first element carries the version.
    const version =
      pricing_version ?? entries.find((entry) => typeof entry.pricing_version === 'string')?.pricing_version;
    return {
      parts: {
        models,
        ...(version === null || version === undefined ? {} : { pricing_version: version }),
        // A ratio of 0 makes a group free; only a group that is not there has no ratio.
        adjustments: Object.entries(group_ratio ?? {}).map(([group, ratio], order) =>
          plainAdjustment(`group ${group}`, priceText(ratio) ?? ratio, { group, order }),
        ),
      },
      rounding: null,
      rounding_unit:
        told === undefined || PICO_PER_USD % units !== 0n ? null : formatAmount(PICO_PER_USD / units),
      models_total: entries.length,
      unsupported,
      assumptions: [
        `${units.toLocaleString('en-US')} units of quota are 1 USD, and a ratio of 1 is a unit a token`,
        'a model of quota_type 1 costs its price a call, one of images an image, one of videos a second',
        'what is written to a cache for an hour costs 1.6 times what is written for five minutes',
      ],
    };
  },
};

function modelsOf(
  entry: Entry,
  usdAtRatio1: Rational,
  unmapped: UnmappedKeys,
  unsupported: UnsupportedPrice[],
): readonly ModelPrice[] {
  const { model_name: id, billing_mode, billing_expr } = entry;
  unmapped.check('data[]', entry, ENTRY_KEYS, id);
  if (typeof billing_expr === 'string' && billing_expr !== '' && billing_mode !== 'ratio') {
    const prices = billingExpression(billing_expr);
    if (prices === null) unsupported.push({ model: id, text: `billing_expr: ${billing_expr}` });
    return prices === null ? [] : [plainModel(id, 'text', prices.components, { tiers: prices.tiers })];
  }
  const grid = gridPrices(entry, unmapped);
  if (grid !== null) return [grid];
  if (entry.quota_type === '1') return perCall(entry, unsupported);
  const components = tokenPrices(entry, usdAtRatio1);
  if (components.length > 0) return [plainModel(id, 'text', components)];
  unsupported.push({ model: id, text: 'quota_type 0 without a model_ratio' });
  return [];
}

/** The unit that a suffix names, and the kind of model that has it. */
const GRID_UNITS: Readonly<
  Record<string, { readonly meter: 'image' | 'video_second'; readonly kind: ModelPrice['kind'] }>
> = {
  '/image': { meter: 'image', kind: 'image' },
  '/second': { meter: 'video_second', kind: 'video' },
};

/** Null where the list has no grid for the model, or one in a unit that is not known. */
function gridPrices({ model_name: id, grid_pricing }: Entry, unmapped: UnmappedKeys): ModelPrice | null {
  const [first] = grid_pricing ?? [];
  const unit = first === undefined ? undefined : GRID_UNITS[first.PricingSuffix];
  if (unit === undefined || grid_pricing?.some(({ PricingSuffix }) => PricingSuffix !== first?.PricingSuffix))
    return null;
  const components = (grid_pricing ?? []).flatMap((row) => {
    unmapped.check('data[].grid_pricing[]', row, GRID_KEYS, id);
    const { Size: size, Quality: quality, Resolution: resolution } = row;
    return perUnit(unit.meter, priceText(row.Pricing), {
      ...(size ? { size } : {}),
      ...(quality ? { quality } : {}),
      ...(resolution ? { resolution } : {}),
    });
  });
  return plainModel(id, unit.kind, components);
}

function perCall(
  { model_name: id, model_price, supported_endpoint_types }: Entry,
  unsupported: UnsupportedPrice[],
): readonly ModelPrice[] {
  const price = priceText(model_price);
  if (price === null) {
    unsupported.push({ model: id, text: 'quota_type 1 without a model_price' });
    return [];
  }
  const endpoints = supported_endpoint_types ?? [];
  const request = perUnit('request', price);
  const kind = (['image', 'video'] as const).find((each) => endpoints.some((name) => name.includes(each)));
  if (kind !== undefined) {
    // Seen to be times images or seconds; some of the family take sizes in, too, or nothing: its charges have to bear it out.
    unsupported.push({ model: id, text: 'quota_type 1: what its price is multiplied by is not told' });
    return [plainModel(id, kind, perUnit(kind === 'image' ? 'image' : 'video_second', price))];
  }
  return [
    plainModel(id, 'text', [
      ...perMillion('input_token', '0'),
      ...perMillion('output_token', '0'),
      ...request,
    ]),
  ];
}

function tokenPrices(entry: Entry, usdAtRatio1: Rational): readonly PriceComponent[] {
  const base = ratioOf(entry.model_ratio);
  if (base === null) return [];
  const audio = ratioOf(entry.audio_ratio);
  const written = ratioOf(entry.create_cache_ratio);
  const priced = (...ratios: readonly (Rational | null)[]): string | null =>
    product(usdAtRatio1, base, ...ratios);
  return [
    ...perMillion('input_token', priced()),
    ...perMillion('output_token', priced(ratioOf(entry.completion_ratio) ?? ONE)),
    ...perMillion('cache_read_token', priced(ratioOf(entry.cache_ratio))),
    ...perMillion('cache_write_token', priced(written), { ttl: '5m' }),
    ...perMillion('cache_write_token', priced(written, HOUR_RATIO), { ttl: '1h' }),
    ...perMillion('image_input_token', priced(ratioOf(entry.image_ratio))),
    ...perMillion('audio_input_token', priced(audio)),
    ...perMillion(
      'audio_output_token',
      audio === null ? null : priced(audio, ratioOf(entry.audio_completion_ratio) ?? ONE),
    ),
  ];
}

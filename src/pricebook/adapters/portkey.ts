import type { Meter, ModelPrice, PriceComponent, Tiers } from '../../contracts/price-book.ts';
import type { BookAdapter, UnsupportedPrice } from './book-adapter.ts';
import type { BookText } from './book-text.ts';
import { componentKind, countOf, perMillion, perUnit } from './components.ts';
import { plainModel } from './plain-model.ts';
import { priceText, product, ratioOf } from './price-text.ts';
import { isMapping, type UnmappedKeys } from './unmapped-keys.ts';

/** USD for a million tokens. */
const TOKENS: Readonly<Record<string, Meter>> = {
  input: 'input_token',
  output: 'output_token',
  cache_read: 'cache_read_token',
  cache_write: 'cache_write_token',
  audio_input: 'audio_input_token',
  audio_output: 'audio_output_token',
};

const MODEL_KEYS = [
  'type',
  'capabilities',
  'disablePlayground',
  'isDefault',
  'params',
  'removeParams',
  'messages',
  'max_output_tokens',
  'pricing',
  'pricing_tiers',
];

const CENT = { num: 1n, den: 100n };

/** A combined file of Portkey: tokens in USD for a million, images and other units in cents. */
export const portkey: BookAdapter = {
  kind: 'portkey',
  name: 'portkey',
  recognises: (value) =>
    isMapping(value) &&
    typeof value['provider'] === 'string' &&
    isMapping(value['default']) &&
    isMapping(value['models'])
      ? 'surely'
      : 'no',
  read(value, unmapped) {
    const held = isMapping(value) ? value['models'] : undefined;
    if (!isMapping(value) || !isMapping(held)) return { unreadable: ['models: expected a mapping'] };
    unmapped.check('', value, ['provider', 'provider_name', 'description', 'default', 'models']);
    const defaults = isMapping(value['default']) ? value['default']['pricing'] : undefined;
    const currency = isMapping(defaults) ? (defaults['currency'] ?? 'USD') : 'USD';
    if (currency !== 'USD')
      return { unreadable: [`default.pricing.currency: expected USD, found ${String(currency)}`] };
    const unsupported: UnsupportedPrice[] = [];
    const unreadable: string[] = [];
    const entries = Object.entries(held);
    const models = entries.flatMap(([id, entry]) =>
      isMapping(entry) ? modelOf(id, entry, { unmapped, unsupported, unreadable }) : [],
    );
    if (unreadable.length > 0) return { unreadable: unreadable.slice(0, 10) };
    return {
      parts: { models },
      rounding: null,
      models_total: entries.length,
      unsupported,
      assumptions: ['prices of images and other units are cents', 'a tier gt_<N>k holds for the whole call'],
    };
  },
};

type Mapping = { readonly [key: string]: BookText };
interface Notes {
  readonly unmapped: UnmappedKeys;
  readonly unsupported: UnsupportedPrice[];
  readonly unreadable: string[];
}

function modelOf(id: string, entry: Mapping, notes: Notes): readonly ModelPrice[] {
  notes.unmapped.check('models.*', entry, MODEL_KEYS, id);
  const pricing = entry['pricing'];
  if (!isMapping(pricing)) return [];
  const components = [
    ...tokens(id, 'pricing', pricing, notes),
    ...images(id, pricing['image'], notes),
    ...units(id, pricing['additional_units'], notes),
  ];
  if (components.length === 0) return [];
  return [
    plainModel(id, componentKind(components), components, {
      tiers: tiersOf(id, entry['pricing_tiers'], notes),
      max_output_tokens: countOf(entry['max_output_tokens']),
    }),
  ];
}

function tokens(id: string, at: string, pricing: Mapping, notes: Notes): readonly PriceComponent[] {
  return Object.entries(pricing).flatMap(([key, held]): readonly PriceComponent[] => {
    if (held === null || ['image', 'additional_units', 'currency'].includes(key)) return [];
    const meter = TOKENS[key];
    if (meter === undefined) {
      notes.unmapped.note(`models.*.${at}.${key}`, held, id);
      return [];
    }
    const price = priceText(held);
    if (price === null) notes.unreadable.push(`models.${id}.${at}.${key}: expected a number of at least 0`);
    return perMillion(meter, price);
  });
}

/** `{quality: {size: cents}}`, or `{price: cents}` in place of the cents; `default` stands for every one. */
function images(id: string, held: BookText | undefined, notes: Notes): readonly PriceComponent[] {
  if (!isMapping(held)) return [];
  return Object.entries(held).flatMap(([quality, sizes]) =>
    isMapping(sizes)
      ? Object.entries(sizes).flatMap(([size, cents]) =>
          perUnit('image', usdOf(`models.${id}.pricing.image.${quality}.${size}`, cents, notes), {
            ...(size === 'default' ? {} : { size }),
            ...(quality === 'default' ? {} : { quality }),
          }),
        )
      : [],
  );
}

function units(id: string, held: BookText | undefined, notes: Notes): readonly PriceComponent[] {
  if (!isMapping(held)) return [];
  return Object.entries(held).flatMap(([name, cents]): readonly PriceComponent[] => {
    const usd = usdOf(`models.${id}.pricing.additional_units.${name}`, cents, notes);
    if (name === 'video_seconds') return perUnit('video_second', usd);
    if (name.endsWith('_search') || name.endsWith('_interpreter'))
      return perUnit('tool_call', usd, { tool: name });
    notes.unsupported.push({ model: id, text: `additional_units.${name}: ${JSON.stringify(cents)}` });
    return [];
  });
}

function usdOf(at: string, held: BookText, notes: Notes): string | null {
  const text = priceText(isMapping(held) ? held['price'] : held);
  const usd = text === null ? null : product(ratioOf(text), CENT);
  if (usd === null) notes.unreadable.push(`${at}: expected a number of at least 0`);
  return usd;
}

function tiersOf(id: string, held: BookText | undefined, notes: Notes): Tiers | null {
  if (!isMapping(held)) return null;
  const thresholds = Object.entries(held).flatMap(([name, pricing]) => {
    const thousands = /^gt_(\d+)k$/.exec(name)?.[1];
    if (thousands === undefined || !isMapping(pricing)) {
      notes.unsupported.push({ model: id, text: `pricing_tiers.${name}: ${JSON.stringify(pricing)}` });
      return [];
    }
    return [{ above: `${thousands}000`, components: tokens(id, `pricing_tiers.${name}`, pricing, notes) }];
  });
  thresholds.sort((left, right) => Number(left.above) - Number(right.above));
  return thresholds.length === 0
    ? null
    : { basis: 'context_len', mode: 'cliff', inclusive: 'gt', thresholds };
}

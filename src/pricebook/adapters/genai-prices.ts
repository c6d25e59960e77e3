import type { Meter, ModelPrice, PriceComponent, Tiers } from '../../contracts/price-book.ts';
import type { BookAdapter, UnsupportedPrice } from './book-adapter.ts';
import type { BookText } from './book-text.ts';
import { componentKind, perMillion } from './components.ts';
import { plainModel } from './plain-model.ts';
import { priceText } from './price-text.ts';
import { isMapping, type UnmappedKeys } from './unmapped-keys.ts';

const METER_OF: Readonly<Record<string, Meter>> = {
  input_mtok: 'input_token',
  output_mtok: 'output_token',
  cache_read_mtok: 'cache_read_token',
  cache_write_mtok: 'cache_write_token',
  input_audio_mtok: 'audio_input_token',
  output_audio_mtok: 'audio_output_token',
};

const PROVIDER_KEYS = [
  'id',
  'name',
  'api_pattern',
  'pricing_urls',
  'description',
  'price_comments',
  'model_match',
  'provider_match',
  'extractors',
  'models',
];
const MODEL_KEYS = [
  'id',
  'name',
  'match',
  'description',
  'context_window',
  'price_comments',
  'prices_checked',
  'price_discrepancies',
  'deprecated',
  'prices',
];

/** The data of genai-prices: providers with models, prices with start dates, times of day and tiers. */
export const genaiPrices: BookAdapter = {
  kind: 'genai-prices',
  name: 'genai-prices',
  recognises: (value) => {
    const first: BookText | undefined = Array.isArray(value) ? value[0] : undefined;
    return isMapping(first) && 'api_pattern' in first && Array.isArray(first['models']) ? 'surely' : 'no';
  },
  read(value, unmapped) {
    if (!Array.isArray(value)) return { unreadable: ['the book: expected a list of providers'] };
    const unsupported: UnsupportedPrice[] = [];
    const models: ModelPrice[] = [];
    let total = 0;
    for (const provider of value) {
      if (!isMapping(provider) || !Array.isArray(provider['models'])) continue;
      unmapped.check('[]', provider, PROVIDER_KEYS);
      for (const model of provider['models']) {
        if (!isMapping(model) || typeof model['id'] !== 'string') continue;
        total += 1;
        unmapped.check('[].models[]', model, MODEL_KEYS, model['id']);
        models.push(...modelsOf(model['id'], model, unmapped, unsupported));
      }
    }
    return {
      parts: { models },
      rounding: null,
      models_total: total,
      unsupported,
      assumptions: ['a tier of prices holds for the whole call once the prompt is longer than its start'],
    };
  },
};

type Mapping = { readonly [key: string]: BookText };

function modelsOf(
  id: string,
  model: Mapping,
  unmapped: UnmappedKeys,
  unsupported: UnsupportedPrice[],
): readonly ModelPrice[] {
  const matches = matchesOf(model['match'], id, unsupported);
  const prices = Array.isArray(model['prices']) ? model['prices'] : [{ prices: model['prices'] ?? null }];
  return prices.flatMap((conditional, index) => {
    if (!isMapping(conditional)) return [];
    unmapped.check('[].models[].prices[]', conditional, ['constraint', 'prices'], id);
    const held = conditional['prices'];
    if (!isMapping(held)) return [];
    const constraint = constraintOf(conditional['constraint']);
    const read = pricesOf(held, id, unmapped);
    if (constraint === null || 'refused' in read) {
      const text = constraint === null ? `constraint ${JSON.stringify(conditional['constraint'])}` : '';
      unsupported.push({ model: id, text: 'refused' in read ? read.refused : text });
      return [];
    }
    if (read.components.length === 0) return [];
    // Of the prices whose constraint holds the last one counts.
    return matches.map((match) =>
      plainModel(match.text, componentKind(read.components), read.components, {
        model: id,
        match,
        priority: index * 2 + (match.kind === 'exact' ? 1 : 0),
        tiers: read.tiers,
        ...constraint,
      }),
    );
  });
}

/** Ids and beginnings of ids; other clauses would match by guess, so that the id alone stands. */
function matchesOf(
  match: BookText | undefined,
  id: string,
  unsupported: UnsupportedPrice[],
): readonly ModelPrice['match'][] {
  const exact = { kind: 'exact', text: id } as const;
  const clauses =
    isMapping(match) && Array.isArray(match['or']) ? match['or'] : match === undefined ? [] : [match];
  const found: ModelPrice['match'][] = [exact];
  for (const clause of clauses) {
    if (!isMapping(clause)) continue;
    const { equals, starts_with, ends_with } = clause;
    if (typeof equals === 'string' && equals !== id) found.push({ kind: 'exact', text: equals });
    else if (typeof starts_with === 'string') found.push({ kind: 'prefix', text: starts_with });
    else if (typeof ends_with === 'string') found.push({ kind: 'suffix', text: ends_with });
    else if (typeof equals !== 'string')
      unsupported.push({ model: id, text: `match ${JSON.stringify(clause)}` });
  }
  return found;
}

type Constraint = Pick<ModelPrice, 'valid_from' | 'time_of_day'>;

function constraintOf(constraint: BookText | undefined): Constraint | null {
  if (constraint === undefined || constraint === null) return { valid_from: null, time_of_day: null };
  if (!isMapping(constraint)) return null;
  const { start_date, start_time, end_time } = constraint;
  if (typeof start_date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(start_date)) {
    return { valid_from: `${start_date}T00:00:00.000Z`, time_of_day: null };
  }
  const from = timeOf(start_time);
  const to = timeOf(end_time);
  return from === null || to === null ? null : { valid_from: null, time_of_day: { from, to } };
}

function timeOf(text: BookText | undefined): string | null {
  const match = typeof text === 'string' ? /^(\d{2}:\d{2}(?::\d{2})?)(?:Z|\+00:00)?$/.exec(text) : null;
  return match?.[1] ?? null;
}

interface Prices {
  readonly components: readonly PriceComponent[];
  readonly tiers: Tiers | null;
}

function pricesOf(held: Mapping, id: string, unmapped: UnmappedKeys): Prices | { readonly refused: string } {
  const components: PriceComponent[] = [];
  const steps = new Map<string, PriceComponent[]>();
  for (const [key, value] of Object.entries(held)) {
    if (value === null) continue;
    const meter = METER_OF[key];
    if (key === 'requests_kcount') {
      const price = priceText(value);
      if (price === null) return { refused: `${key}: ${JSON.stringify(value)}` };
      components.push({ meter: 'request', price, per: '1000' });
    } else if (meter === undefined) unmapped.note(`[].models[].prices.${key}`, value, id);
    else if (isMapping(value)) {
      const base = priceText(value['base']);
      const tiers = value['tiers'];
      if (base === null || !Array.isArray(tiers)) return { refused: `${key}: ${JSON.stringify(value)}` };
      components.push(...perMillion(meter, base));
      for (const tier of tiers) {
        const start = isMapping(tier) ? tier['start'] : null;
        const price = isMapping(tier) ? priceText(tier['price']) : null;
        if (typeof start !== 'string' || !/^\d+$/.test(start) || price === null) {
          return { refused: `${key}: ${JSON.stringify(tier)}` };
        }
        steps.set(start, [...(steps.get(start) ?? []), ...perMillion(meter, price)]);
      }
    } else {
      const price = priceText(value);
      if (price === null) return { refused: `${key}: ${JSON.stringify(value)}` };
      components.push(...perMillion(meter, price));
    }
  }
  const thresholds = [...steps]
    .sort(([left], [right]) => Number(left) - Number(right))
    .map(([above, own]) => ({ above, components: own }));
  return {
    components,
    tiers:
      thresholds.length === 0 ? null : { basis: 'context_len', mode: 'cliff', inclusive: 'gt', thresholds },
  };
}

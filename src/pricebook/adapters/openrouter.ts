import { z } from 'zod';
import type { Meter, ModelPrice, PriceComponent } from '../../contracts/price-book.ts';
import type { BookAdapter, UnsupportedPrice } from './book-adapter.ts';
import { countOf, perUnit } from './components.ts';
import { parsedBy } from './parsed-by.ts';
import { plainModel } from './plain-model.ts';
import { priceText } from './price-text.ts';
import { isMapping, type UnmappedKeys } from './unmapped-keys.ts';

/** USD for one unit. Prices of what no record counts (pictures in a prompt, overrides, discounts) are left to doubt the model. */
const PRICES: Readonly<
  Record<string, { readonly meter: Meter; readonly options?: Partial<PriceComponent> }>
> = {
  prompt: { meter: 'input_token' },
  completion: { meter: 'output_token' },
  input_cache_read: { meter: 'cache_read_token' },
  input_cache_write: { meter: 'cache_write_token' },
  input_cache_write_1h: { meter: 'cache_write_token', options: { ttl: '1h' } },
  internal_reasoning: { meter: 'reasoning_token', options: { mode: 'included' } },
  audio: { meter: 'audio_input_token' },
  audio_output: { meter: 'audio_output_token' },
  request: { meter: 'request' },
  web_search: { meter: 'tool_call', options: { tool: 'web_search' } },
};

/** Where 0 means that nothing is charged beside the other prices, and not that it is free. */
const NONE_AT_ZERO = ['internal_reasoning', 'request', 'web_search', 'audio', 'audio_output'];

const entrySchema = z.looseObject({
  id: z.string().min(1),
  canonical_slug: z.string().min(1).nullish(),
  pricing: z.record(z.string(), z.unknown()),
  top_provider: z.looseObject({ max_completion_tokens: z.unknown().optional() }).nullish(),
});
type Entry = z.infer<typeof entrySchema>;

const document = z.looseObject({ data: z.array(entrySchema) });

const ENTRY_KEYS = [
  ...Object.keys(entrySchema.shape),
  'hugging_face_id',
  'name',
  'created',
  'description',
  'context_length',
  'architecture',
  'per_request_limits',
  'supported_parameters',
  'supported_voices',
  'default_parameters',
  'expiration_date',
  'knowledge_cutoff',
  'links',
  'reasoning',
  'benchmarks',
];

/** What `GET /api/v1/models` of OpenRouter answers. */
export const openrouter: BookAdapter = {
  kind: 'openrouter',
  name: 'openrouter',
  recognises(value) {
    const first = isMapping(value) && Array.isArray(value['data']) ? value['data'][0] : undefined;
    if (!isMapping(first) || typeof first['id'] !== 'string') return 'no';
    const pricing = first['pricing'];
    return 'top_provider' in first && isMapping(pricing) && 'prompt' in pricing && 'completion' in pricing
      ? 'surely'
      : 'no';
  },
  read(value, unmapped) {
    const parsed = parsedBy(document, value);
    if ('unreadable' in parsed) return parsed;
    const { data: entries } = parsed.data;
    const unsupported: UnsupportedPrice[] = [];
    return {
      parts: { models: entries.flatMap((entry) => modelsOf(entry, unmapped, unsupported)) },
      rounding: null,
      models_total: entries.length,
      unsupported,
      assumptions: [
        'a price of 0 for reasoning means that reasoning is charged as output',
        'the dated name of a model (canonical_slug) has the prices of its id',
      ],
    };
  },
};

function modelsOf(
  entry: Entry,
  unmapped: UnmappedKeys,
  unsupported: UnsupportedPrice[],
): readonly ModelPrice[] {
  const { id, canonical_slug, pricing, top_provider } = entry;
  unmapped.check('data[]', entry, ENTRY_KEYS, id);
  const components: PriceComponent[] = [];
  for (const [key, held] of Object.entries(pricing)) {
    const known = PRICES[key];
    const price = priceText(held);
    if (known === undefined) {
      // One model's 0 must not stand beside another's price under the same key.
      if (price !== '0') unmapped.note(`data[].pricing.${key}`, held, id);
      continue;
    }
    // A router has -1: the price is that of the model which it chooses.
    if (price === null) {
      unsupported.push({ model: id, text: `${key}: ${JSON.stringify(held)}` });
      return [];
    }
    if (price !== '0' || !NONE_AT_ZERO.includes(key))
      components.push(...perUnit(known.meter, price, known.options));
  }
  const more = { max_output_tokens: countOf(top_provider?.max_completion_tokens) };
  return [...new Set([id, canonical_slug ?? id])].map((text) =>
    plainModel(text, 'text', components, { ...more, model: id }),
  );
}

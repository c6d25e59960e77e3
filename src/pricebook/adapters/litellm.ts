import type { ModelPrice, PriceComponent, Tiers } from '../../contracts/price-book.ts';
import type { BookAdapter, UnsupportedPrice } from './book-adapter.ts';
import type { BookText } from './book-text.ts';
import { componentKind, countOf, optionsOf, overlay } from './components.ts';
import { type LitellmKey, litellmKey } from './litellm-key.ts';
import { plainModel } from './plain-model.ts';
import { priceText, product, ratioOf, whole } from './price-text.ts';
import { isMapping, type UnmappedKeys } from './unmapped-keys.ts';

/** Keys that say nothing about a price. */
const KNOWN = [
  'litellm_provider',
  'mode',
  'max_tokens',
  'max_input_tokens',
  'max_output_tokens',
  'output_vector_size',
  'rpm',
  'tpm',
  'rpd',
  'source',
  'comment',
  'metadata',
  'deprecation_date',
  'supported_endpoints',
  'supported_modalities',
  'supported_output_modalities',
  'supported_regions',
  'supported_openai_params',
  'max_images_per_prompt',
  'max_videos_per_prompt',
  'max_video_length',
  'max_audio_length_hours',
  'max_audio_per_prompt',
  'max_pdf_size_mb',
  'tool_use_system_prompt_tokens',
];

interface Priced {
  readonly key: LitellmKey;
  readonly component: PriceComponent;
}

/** The map of model names to prices of LiteLLM. Sizes and qualities of images stand in the names. */
export const litellm: BookAdapter = {
  kind: 'litellm',
  name: 'litellm',
  recognises(value) {
    if (!isMapping(value)) return 'no';
    const entries = Object.values(value);
    return entries.length > 0 &&
      entries.every((entry) => isMapping(entry)) &&
      entries.some((entry) => isMapping(entry) && 'litellm_provider' in entry)
      ? 'surely'
      : 'no';
  },
  read(value, unmapped) {
    if (!isMapping(value)) return { unreadable: ['the book: expected a mapping of models'] };
    const unsupported: UnsupportedPrice[] = [];
    const unreadable: string[] = [];
    const byModel = new Map<string, ModelPrice[]>();
    for (const [name, entry] of Object.entries(value)) {
      // An entry that explains the keys.
      if (name === 'sample_spec' || !isMapping(entry)) continue;
      const { model, options } = nameParts(name);
      const read = readEntry(name, model, options, entry, unmapped, unsupported, unreadable);
      byModel.set(model, [...(byModel.get(model) ?? []), ...read]);
    }
    if (unreadable.length > 0) return { unreadable: unreadable.slice(0, 10) };
    return {
      parts: { models: [...byModel.values()].flatMap(merged) },
      rounding: null,
      models_total: byModel.size,
      unsupported,
      assumptions: [
        'prices above a length of the prompt hold for the whole call, and the prompt counts cached tokens',
        'prices of reasoning tokens hold for a part of the output tokens',
        'a service tier takes the plain price where it has none of its own',
      ],
    };
  },
};

/** `azure/hd/1024-x-1024/dall-e-3` is `azure/dall-e-3` of that quality and size. */
function nameParts(name: string): { readonly model: string; readonly options: Partial<PriceComponent> } {
  const parts = name.split('/');
  const size = parts.find((part) => /^\d+-x-\d+$/.test(part));
  if (size === undefined) return { model: name, options: {} };
  const quality = parts.find((part) => ['hd', 'standard', 'low', 'medium', 'high'].includes(part));
  return {
    model: parts.filter((part) => part !== size && part !== quality).join('/'),
    options: { size: size.replace('-x-', 'x'), ...(quality === undefined ? {} : { quality }) },
  };
}

function readEntry(
  name: string,
  model: string,
  options: Partial<PriceComponent>,
  entry: { readonly [key: string]: BookText },
  unmapped: UnmappedKeys,
  unsupported: UnsupportedPrice[],
  unreadable: string[],
): readonly ModelPrice[] {
  const priced: Priced[] = [];
  for (const [key, held] of Object.entries(entry)) {
    if (KNOWN.includes(key) || key.startsWith('supports_') || key === 'tiered_pricing' || held === null)
      continue;
    const read = litellmKey(key);
    if (read === null) {
      unmapped.note(`*.${key}`, held, name);
      continue;
    }
    const text = priceText(held);
    if (text === null) {
      unreadable.push(`${name}.${key}: expected a decimal number of at least 0`);
      continue;
    }
    const component = componentOf(read, text, options);
    if (component === null)
      unsupported.push({ model: name, text: `${key}: ${text} without a size in the name` });
    // A price of 0 in one direction beside a price in the other is no second price of the image.
    else if (component.meter !== 'image' || component.price !== '0') priced.push({ key: read, component });
  }
  const tiered = tieredPricing(name, entry['tiered_pricing'], unmapped, unsupported);
  return entriesOf(model, priced, tiered, countOf(entry['max_output_tokens']));
}

function componentOf(
  key: LitellmKey,
  price: string,
  options: Partial<PriceComponent>,
): PriceComponent | null {
  const own = { ...key.options, ...(key.meter === 'image' ? options : {}) };
  if (!key.pixel) return { meter: key.meter, price, per: key.per, ...own };
  const [width, height] = (options.size ?? '').split('x').map(Number);
  if (width === undefined || height === undefined || options.size === undefined)
    return price === '0' ? { meter: 'image', price, per: '1' } : null;
  const image = product(ratioOf(price), whole(width), whole(height));
  return image === null ? null : { meter: 'image', price: image, per: '1', ...own };
}

/** The base price, and one for each service tier: a tier without a price of its own falls back to the base. */
function entriesOf(
  model: string,
  priced: readonly Priced[],
  tiered: { readonly components: readonly PriceComponent[]; readonly tiers: Tiers } | null,
  max_output_tokens: number | null,
): readonly ModelPrice[] {
  const base = priced.filter(({ key }) => key.when === null);
  const components =
    tiered === null ? componentsAt(base, null) : overlay(componentsAt(base, null), tiered.components);
  if (components.length === 0) return [];
  const tiers = tiered === null ? tiersOf(base) : tiered.tiers;
  const kind = componentKind(components);
  const whens = Map.groupBy(
    priced.filter(({ key }) => key.when !== null),
    ({ key }) => JSON.stringify(key.when),
  );
  return [
    plainModel(model, kind, components, { tiers, max_output_tokens }),
    ...[...whens.values()].map((own) => {
      const all = [...base, ...own];
      return plainModel(model, kind, overlay(components, componentsAt(own, null)), {
        tiers: tiersOf(all),
        when: own[0]?.key.when ?? {},
        priority: 1,
        max_output_tokens,
      });
    }),
  ];
}

function componentsAt(priced: readonly Priced[], above: string | null): readonly PriceComponent[] {
  return priced
    .filter(({ key }) => key.above === above)
    .reduce<readonly PriceComponent[]>((held, { component }) => overlay(held, [component]), []);
}

/** Later ones of `priced` win over earlier ones for the same use. */
function tiersOf(priced: readonly Priced[]): Tiers | null {
  const lengths = [...new Set(priced.flatMap(({ key }) => key.above ?? []))];
  if (lengths.length === 0) return null;
  lengths.sort((left, right) => Number(left) - Number(right));
  return {
    basis: 'context_len',
    mode: 'cliff',
    inclusive: 'gt',
    thresholds: lengths.map((above) => ({ above, components: componentsAt(priced, above) })),
  };
}

/** `tiered_pricing: [{range: [0, 32000], input_cost_per_token, …}]`. */
function tieredPricing(
  name: string,
  held: BookText | undefined,
  unmapped: UnmappedKeys,
  unsupported: UnsupportedPrice[],
): { readonly components: readonly PriceComponent[]; readonly tiers: Tiers } | null {
  if (held === undefined || held === null) return null;
  const refuse = (text: string): null => {
    unsupported.push({ model: name, text: `tiered_pricing: ${text}` });
    return null;
  };
  if (!Array.isArray(held)) return refuse('is no list');
  const steps: { readonly from: string; readonly components: readonly PriceComponent[] }[] = [];
  for (const step of held) {
    if (!isMapping(step)) return refuse('holds what is no mapping');
    const range = step['range'];
    const from = Array.isArray(range) ? countOf(range[0]) : null;
    if (from === null) return refuse('has a step without a range of whole numbers');
    const components: PriceComponent[] = [];
    for (const [key, value] of Object.entries(step)) {
      if (key === 'range') continue;
      const read = litellmKey(key);
      const price = priceText(value);
      if (read === null || read.above !== null || read.when !== null || read.pixel) {
        unmapped.note(`*.tiered_pricing[].${key}`, value, name);
      } else if (price === null) return refuse(`${key}: ${String(value)} is no price`);
      else components.push({ meter: read.meter, price, per: read.per, ...read.options });
    }
    steps.push({ from: String(from), components });
  }
  const [first, ...rest] = steps.sort((left, right) => Number(left.from) - Number(right.from));
  if (first === undefined || first.from !== '0') return refuse('does not begin at 0');
  return {
    components: first.components,
    tiers: {
      basis: 'context_len',
      mode: 'cliff',
      inclusive: 'gt',
      thresholds: rest.map(({ from, components }) => ({ above: from, components })),
    },
  };
}

/** Images of several sizes are entries of their own in the map and components of one model here. */
function merged(entries: readonly ModelPrice[]): readonly ModelPrice[] {
  const [first, ...rest] = entries;
  if (first === undefined || rest.length === 0 || entries.some(({ kind }) => kind !== 'image'))
    return entries;
  const seen = new Set<string>();
  const components = entries
    .flatMap((entry) => entry.components)
    .filter((component) => {
      const use = optionsOf(component);
      return !seen.has(use) && seen.add(use);
    });
  return [{ ...first, components }];
}

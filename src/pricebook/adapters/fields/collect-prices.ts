import type { BookText } from '../book-text.ts';
import { priceText } from '../price-text.ts';
import { isMapping, type UnmappedKeys } from '../unmapped-keys.ts';
import { type PriceName, priceName, wordsOf } from './price-name.ts';

/** What stands around a price: told by the keys above it and the fields beside it. */
interface Around {
  readonly model: string | null;
  readonly kind: 'text' | 'image' | 'video' | null;
  readonly name: PriceName;
  /** True inside what names a meter or a unit: any key below it is an option of the price. */
  readonly priced: boolean;
  readonly options: Readonly<Partial<Record<Option, string>>>;
  /** Fields of the row that no rule reads: two prices that differ by them alone are no price. */
  readonly unread: readonly string[];
}

/** A number that is a price, with all that is said of it. */
export interface FoundPrice extends Around {
  readonly model: string;
  readonly price: string;
  readonly at: string;
}

type Option = (typeof OPTIONS)[number][0];
const OPTIONS = [
  ['size', ['size']],
  ['quality', ['quality']],
  ['resolution', ['resolution']],
  ['service_tier', ['service_tier']],
  ['group', ['group']],
  ['valid_from', ['valid_from', 'effective_from']],
  ['valid_to', ['valid_to', 'valid_until', 'effective_until']],
] as const;

const MODEL_KEYS = ['model', 'model_id', 'model_name', 'id', 'name'];
const KIND_KEYS = ['kind', 'type', 'service', 'modality', 'category', 'family'];
const METER_KEYS = ['meter', 'item', 'metric', 'dimension'];
const UNIT_KEYS = ['unit', 'price_unit', 'unit_of_price', 'basis'];
/** Figures here change no price: what a call without an option gets, limits and days. */
const NO_PRICE = [
  'defaults',
  'context_window',
  'context_length',
  'max_output_tokens',
  'max_tokens',
  'created',
];
const KINDS: Readonly<Record<string, 'text' | 'image' | 'video'>> = {
  text: 'text',
  chat: 'text',
  llm: 'text',
  image: 'image',
  images: 'image',
  picture: 'image',
  pictures: 'image',
  video: 'video',
  videos: 'video',
  film: 'video',
  films: 'video',
};

const NAMELESS: PriceName = { meter: null, counted: null, per: null, usd: null, beside_cache: false };
const OUTSIDE: Around = {
  model: null,
  kind: null,
  name: NAMELESS,
  priced: false,
  options: {},
  unread: [],
};

/** Finds every price of a book by the names of its keys and fields. What is read as none goes to `unmapped`. */
export function collectPrices(book: BookText, unmapped: UnmappedKeys): readonly FoundPrice[] {
  const found: FoundPrice[] = [];
  visit(book, '', OUTSIDE);
  return found;

  function visit(value: BookText, at: string, around: Around): void {
    if (Array.isArray(value)) for (const held of value) visit(held, `${at}[]`, around);
    else if (isMapping(value)) visitMapping(value, at, around);
  }

  function visitMapping(value: Fields, at: string, above: Around): void {
    const taken = new Set<string>();
    const around = withFields(value, above, taken);
    const unread = Object.keys(value).filter(
      (key) => !taken.has(key) && typeof value[key] !== 'object' && priceName(key) === null,
    );
    for (const [key, held] of Object.entries(value)) {
      if (taken.has(key) || NO_PRICE.includes(key)) continue;
      const path = at === '' ? key : `${at}.${key}`;
      visitKey(key, held, path, { ...around, unread: [...around.unread, ...unread] });
    }
  }

  function visitKey(key: string, held: BookText, at: string, around: Around): void {
    const name = priceName(key);
    if (typeof held !== 'object') {
      const price = priceOf(held);
      const option = around.priced ? optionOf(key, around) : null;
      const joint = name === null ? null : joined(around.name, name);
      if (price !== null && around.model !== null && (option !== null || joint !== null)) {
        found.push({
          ...around,
          model: around.model,
          name: joint ?? around.name,
          options: { ...around.options, ...option },
          price,
          at,
        });
      } else unmapped.note(at, held, around.model);
      return;
    }
    if (held === null) return;
    if (around.priced) {
      const option = optionOf(key, around);
      if (option === null && name === null) unmapped.note(at, held, around.model);
      else visit(held, at, below(around, name, option));
      return;
    }
    const kind = Object.hasOwn(KINDS, key.toLowerCase()) ? KINDS[key.toLowerCase()] : undefined;
    if (kind !== undefined && around.model === null) {
      visit(held, at, { ...around, kind });
      return;
    }
    if (name !== null) {
      visit(held, at, below(around, name, null));
      return;
    }
    if (!mayHoldPrices(held)) {
      unmapped.note(at, held, around.model);
      return;
    }
    const isModel = around.model === null && isMapping(held) && namesPrices(held);
    visit(held, isModel ? at.replace(/[^.]*$/, '*') : at, isModel ? { ...around, model: key } : around);
  }
}

type Fields = { readonly [key: string]: BookText };

/** What the plain fields of a mapping say of all prices in it. */
function withFields(value: Fields, above: Around, taken: Set<string>): Around {
  const textAt = (keys: readonly string[]): string | null => {
    for (const key of Object.keys(value)) {
      const held = value[key];
      if (!keys.includes(wordsOf(key).join('_')) || typeof held !== 'string' || held === '') continue;
      taken.add(key);
      return held;
    }
    return null;
  };
  let around = above;
  if (around.model === null && !holdsModels(value)) {
    const model = textAt(['model', 'model_id', 'model_name']) ?? textAt(['id']) ?? textAt(['name']);
    around = { ...around, model };
  }
  const kind = textAt(KIND_KEYS)?.toLowerCase();
  if (kind !== undefined && Object.hasOwn(KINDS, kind)) around = { ...around, kind: KINDS[kind] ?? null };
  for (const name of [textAt(METER_KEYS), ...unitTexts(value, taken)]) {
    const read = name === null ? null : (priceName(name) ?? null);
    const joint = read === null ? null : joined(around.name, read);
    if (joint !== null) around = { ...around, name: joint };
    else if (name !== null) around = { ...around, unread: [...around.unread, name] };
  }
  for (const [option, keys] of OPTIONS) {
    const text = textAt(keys);
    if (text !== null) around = { ...around, options: { ...around.options, [option]: text } };
  }
  return around;
}

/** `unit` with `per`, here or in a mapping of their own such as `rate_basis: {unit: token, per: 1000}`. */
function unitTexts(value: Fields, taken: Set<string>): readonly string[] {
  const own = unitText(value);
  if (own !== null) for (const key of [...UNIT_KEYS, 'per', 'currency']) taken.add(key);
  const below = Object.entries(value).flatMap(([key, held]) => {
    if (
      !isMapping(held) ||
      !Object.keys(held).every((name) => [...UNIT_KEYS, 'per', 'currency'].includes(name))
    )
      return [];
    const text = unitText(held);
    if (text !== null) taken.add(key);
    return text === null ? [] : [text];
  });
  return own === null ? below : [own, ...below];
}

function unitText(value: Fields): string | null {
  const unit = UNIT_KEYS.map((key) => value[key]).find((held) => typeof held === 'string');
  const per = value['per'];
  if (typeof unit !== 'string') return null;
  return typeof per === 'string' ? (per === '1' ? `per ${unit}` : `per ${per} ${unit}`) : unit;
}

/** The words of both; null where they say different things. */
function joined(outer: PriceName, inner: PriceName): PriceName | null {
  const meter = inner.meter ?? outer.meter;
  const counted = inner.counted ?? outer.counted;
  // What is counted in calls or images is no price of a token, whatever its key is called.
  if (meter !== null && counted !== null && counted !== 'token') return null;
  if (
    inner.counted !== null &&
    outer.counted !== null &&
    inner.counted !== outer.counted &&
    inner.per === null
  )
    return null;
  const differ = (left: string | null, right: string | null): boolean =>
    left !== null && right !== null && left !== right;
  if (differ(outer.per, inner.per) || differ(outer.usd, inner.usd)) return null;
  return {
    meter,
    counted,
    per: inner.per ?? outer.per,
    usd: inner.usd ?? outer.usd,
    beside_cache: inner.beside_cache || outer.beside_cache,
  };
}

function below(around: Around, name: PriceName | null, option: Around['options'] | null): Around {
  const joint = name === null ? around.name : joined(around.name, name);
  return {
    ...around,
    name: joint ?? around.name,
    priced:
      around.priced || (around.model !== null && name !== null && (name.meter ?? name.counted) !== null),
    options: { ...around.options, ...option },
    unread: joint === null ? [...around.unread, 'unit'] : around.unread,
  };
}

const SIZE = /^\d{2,5}x\d{2,5}$/;
const RESOLUTION = /^(\d{3,4}p|[248]k)$/i;
const QUALITY = ['low', 'medium', 'high', 'standard', 'hd'];

/** The option that a key under a price is. */
function optionOf(key: string, { name: { counted } }: Around): Around['options'] | null {
  if (counted === 'image' && SIZE.test(key)) return { size: key };
  if (counted === 'image' && QUALITY.includes(key.toLowerCase())) return { quality: key };
  return counted === 'video_second' && RESOLUTION.test(key) ? { resolution: key } : null;
}

function priceOf(held: BookText | undefined): string | null {
  return typeof held === 'string' ? priceText(held.replace(/^\$\s*/, '').trim()) : null;
}

function mayHoldPrices(value: BookText): boolean {
  if (Array.isArray(value)) return value.some((held) => typeof held === 'object' && held !== null);
  return isMapping(value);
}

/** True where a key says a price, a unit of prices, or rows of them. */
function namesPrices(value: Fields): boolean {
  return Object.entries(value).some(([key, held]) => {
    const name = priceName(key);
    return (
      name !== null &&
      !Object.hasOwn(KINDS, key.toLowerCase()) &&
      (priceOf(held) !== null || typeof held === 'object')
    );
  });
}

/** True where models are named further down, so that a name here is not one. */
function holdsModels(value: Fields): boolean {
  const named = (held: BookText): boolean =>
    Array.isArray(held)
      ? held.some(named)
      : isMapping(held) &&
        (MODEL_KEYS.some((key) => typeof held[key] === 'string') || Object.values(held).some(named));
  return Object.values(value).some(named);
}

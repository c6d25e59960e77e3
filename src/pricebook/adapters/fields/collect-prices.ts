import type { BookText } from '../book-text.ts';
import { priceText } from '../price-text.ts';
import { isMapping, type UnmappedKeys } from '../unmapped-keys.ts';
import { joinNames, NAMELESS, type PriceName, priceName, senses, wordsOf } from './price-name.ts';

type Kind = 'text' | 'image' | 'video';

/** What stands around a price: told by the keys above it and the fields beside it. */
interface Around {
  readonly model: string | null;
  readonly kind: Kind | null;
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
const UNIT_FIELDS = [...UNIT_KEYS, 'per', 'currency'];
/** Figures here change no price: what a call without an option gets, limits and days. */
const NO_PRICE = 'defaults context_window context_length max_output_tokens max_tokens created'.split(' ');
const KINDS = new Map<string, Kind>(
  Object.entries({
    ...senses<Kind>('text', 'text chat llm'),
    ...senses<Kind>('image', 'image images picture pictures'),
    ...senses<Kind>('video', 'video videos film films'),
  }),
);

const OUTSIDE: Around = { model: null, kind: null, name: NAMELESS, priced: false, options: {}, unread: [] };

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
    const option = around.priced ? optionOf(key, around) : null;
    if (typeof held !== 'object') {
      const price = priceOf(held);
      const joint = name === null ? null : joinNames(around.name, name);
      if (price !== null && around.model !== null && (option !== null || joint !== null))
        found.push({ ...below(around, name, option), model: around.model, price, at });
      else unmapped.note(at, held, around.model);
      return;
    }
    if (held === null) return;
    const kind = around.model === null ? KINDS.get(key.toLowerCase()) : undefined;
    if (kind !== undefined) visit(held, at, { ...around, kind });
    else if (name !== null || option !== null) visit(held, at, below(around, name, option));
    else if (around.priced || (Array.isArray(held) && held.every((each) => typeof each !== 'object')))
      unmapped.note(at, held, around.model);
    else if (around.model !== null || !isMapping(held) || !namesPrices(held)) visit(held, at, around);
    else visit(held, at.replace(/[^.]*$/, '*'), { ...around, model: key });
  }
}

type Fields = { readonly [key: string]: BookText };

/** What the plain fields of a mapping say of all prices in it. */
function withFields(value: Fields, above: Around, taken: Set<string>): Around {
  const textAt = (keys: readonly string[]): string | null => {
    for (const [key, held] of Object.entries(value)) {
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
  const kind = KINDS.get(textAt(KIND_KEYS)?.toLowerCase() ?? '');
  if (kind !== undefined) around = { ...around, kind };
  for (const name of [textAt(METER_KEYS), ...unitTexts(value, taken)]) {
    const read = name === null ? null : (priceName(name) ?? null);
    const joint = read === null ? null : joinNames(around.name, read);
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
  const here = unitText(value);
  if (here !== null) for (const key of UNIT_FIELDS) taken.add(key);
  const below = Object.entries(value).flatMap(([key, held]) => {
    const isUnit = isMapping(held) && Object.keys(held).every((name) => UNIT_FIELDS.includes(name));
    const text = isUnit ? unitText(held) : null;
    if (text !== null) taken.add(key);
    return text ?? [];
  });
  return here === null ? below : [here, ...below];
}

function unitText(value: Fields): string | null {
  const unit = UNIT_KEYS.map((key) => value[key]).find((held) => typeof held === 'string');
  const per = value['per'];
  if (typeof unit !== 'string' || typeof per !== 'string') return unit ?? null;
  return per === '1' ? `per ${unit}` : `per ${per} ${unit}`;
}

function below(around: Around, name: PriceName | null, option: Around['options'] | null): Around {
  const joint = name === null ? around.name : joinNames(around.name, name);
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

/** True where a key says a price, a unit of prices, or rows of them. */
function namesPrices(value: Fields): boolean {
  return Object.entries(value).some(([key, held]) => {
    const name = priceName(key);
    return (
      name !== null && !KINDS.has(key.toLowerCase()) && (priceOf(held) !== null || typeof held === 'object')
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

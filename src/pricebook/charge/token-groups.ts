import type { Meter, ModelPrice, PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import { type ChargeFacts, type Quantity, spanOf, type UnitSpan } from './charge-facts.ts';
import { tierPrices } from './tier-prices.ts';
import type { Unpriced } from './unpriced.ts';

/** Tokens of one part of the input or output, and what prices them in a tier: several where it is not known which. */
interface TokenPart {
  readonly meter: Meter;
  readonly units: UnitSpan;
  prices(components: readonly PriceComponent[]): readonly PriceComponent[];
}

/** The input or the output: parts with prices of their own, in the order in which they count, and the plain rest. */
export interface TokenGroup {
  readonly total: UnitSpan;
  readonly parts: readonly TokenPart[];
  readonly plain: Omit<TokenPart, 'units'>;
}

export interface TokenGroups {
  readonly input: TokenGroup;
  readonly output: TokenGroup;
  /** Reasoning tokens that come on top of the output. */
  readonly additive: TokenPart | null;
  readonly warnings: readonly string[];
}

const INPUT_METERS: readonly Meter[] = [
  'input_token',
  'cache_read_token',
  'cache_write_token',
  'image_input_token',
  'audio_input_token',
];
const OUTPUT_METERS: readonly Meter[] = [
  'output_token',
  'reasoning_token',
  'image_output_token',
  'audio_output_token',
];
const NONE: UnitSpan = { lo: 0n, hi: 0n };

/** The tokens of a call as an entry prices them; null where it prices no tokens at all. */
export function tokenGroups(
  book: PriceBook,
  entry: ModelPrice,
  facts: ChargeFacts,
): TokenGroups | Unpriced | null {
  const priced = new Set(tierPrices(entry).flatMap(({ components }) => components.map(({ meter }) => meter)));
  if (![...INPUT_METERS, ...OUTPUT_METERS].some((meter) => priced.has(meter))) return null;
  const input = spanOf(facts.input);
  const output = spanOf(facts.output);
  if (input === null) return { unpriced: 'the number of input tokens is not known', why: 'units' };
  if (output === null) return { unpriced: 'the number of output tokens is not known', why: 'units' };
  function part(meter: Meter, quantity: Quantity, most: bigint): readonly TokenPart[] {
    const units = spanOf(quantity) ?? (priced.has(meter) ? { lo: 0n, hi: most } : NONE);
    return units.hi === 0n ? [] : [{ meter, units, prices: pricesOf(meter) }];
  }
  const reasoning = reasoningOf(book, entry);
  if (reasoning.additive && facts.reasoning === null) {
    return { unpriced: 'the number of reasoning tokens is not known', why: 'units' };
  }
  const beside = part('reasoning_token', facts.reasoning, output.hi);
  const own = (meter: Meter, quantity: Quantity, most: bigint): readonly TokenPart[] =>
    priced.has(meter) ? part(meter, quantity, most) : [];
  return {
    input: {
      total: input,
      parts: [
        ...part('cache_read_token', facts.cache_read, input.hi),
        ...writeParts(entry, facts, part('cache_write_token', facts.cache_write, input.hi)),
        ...own('image_input_token', facts.image_input, input.hi),
        ...own('audio_input_token', facts.audio_input, input.hi),
      ],
      plain: { meter: 'input_token', prices: pricesOf('input_token') },
    },
    output: {
      total: output,
      parts: [
        ...(reasoning.additive || !priced.has('reasoning_token') ? [] : beside),
        ...own('image_output_token', facts.image_output, output.hi),
        ...own('audio_output_token', facts.audio_output, output.hi),
      ],
      plain: { meter: 'output_token', prices: pricesOf('output_token') },
    },
    additive: reasoning.additive ? (beside[0] ?? null) : null,
    warnings:
      reasoning.guessed && beside.length > 0
        ? ['reasoning tokens are taken as a part of the output: the book does not say']
        : [],
  };
}

/** Whether reasoning tokens are charged beside the output: the price says it, else the semantics of the counts. */
export function reasoningOf(
  book: PriceBook,
  entry: ModelPrice,
): { readonly additive: boolean; readonly guessed: boolean } {
  const component = entry.components.find(({ meter }) => meter === 'reasoning_token');
  if (component?.mode !== undefined) return { additive: component.mode === 'additive', guessed: false };
  const included = (entry.usage_semantics ?? book.usage_semantics).output_includes_reasoning;
  return { additive: included === 'no', guessed: included === 'unknown' && component !== undefined };
}

/** Cache writes by how long they live, where the entry tells lives apart. */
function writeParts(
  entry: ModelPrice,
  { cache_write_1h }: ChargeFacts,
  whole: readonly TokenPart[],
): readonly TokenPart[] {
  const [write] = whole;
  const told = tierPrices(entry).some(({ components }) => components.some(({ ttl }) => ttl !== undefined));
  if (write === undefined || !told) return whole;
  const long = spanOf(cache_write_1h);
  const lives = (ttl: '5m' | '1h'): TokenPart['prices'] => {
    return (components) => pricesOf('cache_write_token')(components.filter((each) => isOfLife(each, ttl)));
  };
  if (long === null) {
    return [{ ...write, prices: (components) => [...lives('5m')(components), ...lives('1h')(components)] }];
  }
  const { units } = write;
  const short = {
    lo: units.lo > long.hi ? units.lo - long.hi : 0n,
    hi: units.hi > long.lo ? units.hi - long.lo : 0n,
  };
  return [
    { ...write, units: short, prices: lives('5m') },
    { ...write, units: { lo: long.lo, hi: long.hi < units.hi ? long.hi : units.hi }, prices: lives('1h') },
  ].filter((each) => each.units.hi > 0n);
}

function isOfLife({ meter, ttl }: PriceComponent, life: '5m' | '1h'): boolean {
  return meter !== 'cache_write_token' || ttl === undefined || ttl === life;
}

/** Without a price of its own a part is charged as the rest of its side. */
function pricesOf(meter: Meter): TokenPart['prices'] {
  const rest = INPUT_METERS.includes(meter) ? 'input_token' : 'output_token';
  return (components) => {
    const own = components.filter((component) => component.meter === meter);
    const named = own.filter(({ ttl }) => ttl !== undefined);
    if (own.length > 0) return named.length > 0 ? named : own;
    return components.filter((component) => component.meter === rest);
  };
}

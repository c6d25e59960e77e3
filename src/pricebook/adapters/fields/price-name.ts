import type { Meter } from '../../../contracts/price-book.ts';

/** What a price is counted in where no meter is named. */
type Counted = 'token' | 'image' | 'video_second' | 'request';

/** What the words of a key or of a unit say of a price; null where no word tells it. */
export interface PriceName {
  readonly meter: Meter | null;
  readonly counted: Counted | null;
  /** Units that the price is for. */
  readonly per: string | null;
  /** USD that 1 is. */
  readonly usd: string | null;
  /** The input is named as what was not read from the cache. */
  readonly beside_cache: boolean;
}

type Sense =
  | 'input'
  | 'output'
  | 'cached'
  | 'write'
  | 'reasoning'
  | 'fresh'
  | 'audio'
  | 'price'
  | 'per'
  | Counted;

const SENSE_OF: Readonly<Record<string, Sense>> = {
  ...senses<Sense>('input', 'input inputs prompt'),
  ...senses<Sense>('output', 'output outputs completion completions'),
  ...senses<Sense>('cached', 'cached cache'),
  ...senses<Sense>('write', 'write writes creation'),
  ...senses<Sense>('reasoning', 'reasoning thinking'),
  ...senses<Sense>('fresh', 'fresh uncached'),
  ...senses<Sense>('audio', 'audio'),
  ...senses<Sense>('token', 'token tokens tok'),
  ...senses<Sense>('image', 'image images picture pictures'),
  ...senses<Sense>('video_second', 'second seconds sec'),
  ...senses<Sense>('request', 'request requests call calls'),
  ...senses<Sense>(
    'price',
    'price prices pricing cost costs rate rates text read reads hit hits video unit units value',
  ),
  ...senses<Sense>('per', 'per'),
};

/** How many units a word names; `mtok` names its tokens too. */
const UNITS: Readonly<Record<string, string>> = {
  '1k': '1000',
  '1000': '1000',
  k: '1000',
  thousand: '1000',
  ktok: '1000',
  '1m': '1000000',
  m: '1000000',
  '1000000': '1000000',
  million: '1000000',
  mtok: '1000000',
};

const MONEY: Readonly<Record<string, string>> = {
  usd: '1',
  dollar: '1',
  dollars: '1',
  cent: '0.01',
  cents: '0.01',
  microusd: '0.000001',
  microdollars: '0.000001',
  nanousd: '0.000000001',
};

/** Says nothing. */
export const NAMELESS: PriceName = { meter: null, counted: null, per: null, usd: null, beside_cache: false };

/** Reads `cached_input`, `USD_PER_1000_TOKENS`, `perImage`, `$ / 1M tokens`; null where a word is none of ours. */
export function priceName(text: string): PriceName | null {
  const words = wordsOf(text);
  const said = new Set<Sense>();
  let { per, usd } = NAMELESS;
  for (const word of words) {
    const units = UNITS[word];
    const money = MONEY[word];
    const sense = Object.hasOwn(SENSE_OF, word) ? SENSE_OF[word] : undefined;
    if (units !== undefined) {
      if (per !== null) return null;
      per = units;
      if (word.endsWith('tok')) said.add('token');
    } else if (money !== undefined) {
      if (usd !== null) return null;
      usd = money;
    } else if (sense !== undefined) said.add(sense);
    else return null;
  }
  // `M` alone may be a size.
  if (said.size === 0 && usd === null) return null;
  const counted = countedOf(said);
  const meter = meterOf(said);
  if (counted === 'none' || meter === 'none') return null;
  // `per token` and `per image` name one of them.
  if (per === null && counted !== null && said.has('per')) per = '1';
  return { meter, counted, per, usd, beside_cache: meter === 'input_token' && said.has('fresh') };
}

/** The words of both; null where they say different things. */
export function joinNames(outer: PriceName, inner: PriceName): PriceName | null {
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

function countedOf(said: ReadonlySet<Sense>): Counted | 'none' | null {
  const counted = (['token', 'image', 'video_second', 'request'] as const).filter((sense) => said.has(sense));
  // `image_input_tokens` counts tokens.
  if (said.has('token') && said.has('image') && counted.length === 2) return 'token';
  return counted.length > 1 ? 'none' : (counted[0] ?? null);
}

function meterOf(said: ReadonlySet<Sense>): Meter | 'none' | null {
  const has = (sense: Sense): boolean => said.has(sense);
  if (has('input') && has('output')) return 'none';
  if (has('cached')) {
    if (has('output') || has('image') || has('audio') || has('reasoning') || has('fresh')) return 'none';
    return has('write') ? 'cache_write_token' : 'cache_read_token';
  }
  if (has('write')) return 'none';
  if (has('reasoning')) return has('input') ? 'none' : 'reasoning_token';
  for (const medium of ['image', 'audio'] as const) {
    if (!has(medium)) continue;
    if (has('input')) return `${medium}_input_token`;
    if (has('output')) return `${medium}_output_token`;
    if (medium === 'audio') return 'none';
  }
  if (has('input') || has('fresh')) return 'input_token';
  return has('output') ? 'output_token' : null;
}

/** `perMTok`, `PER_1K` and `$/1M` as words in small letters. */
export function wordsOf(text: string): readonly string[] {
  return text
    .replaceAll('$', ' usd ')
    .replaceAll('/', ' per ')
    .replaceAll(',', '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Each of the words, with what it means. */
export function senses<Of>(sense: Of, words: string): Readonly<Record<string, Of>> {
  return Object.fromEntries(words.split(' ').map((word) => [word, sense]));
}

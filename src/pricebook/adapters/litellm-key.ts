import type { Meter, PriceComponent } from '../../contracts/price-book.ts';

/** What a price key of the LiteLLM map is for. */
export interface LitellmKey {
  readonly meter: Meter;
  /** Units that the price is for: tokens are priced one by one. */
  readonly per: string;
  readonly options: Partial<PriceComponent>;
  /** Context length above which it holds; null for the base price. */
  readonly above: string | null;
  /** Service tier or batch; null for the plain price. */
  readonly when: Readonly<Record<string, string>> | null;
  /** The unit is a pixel: the price of an image comes of its size. */
  readonly pixel: boolean;
}

const TIERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  priority: { service_tier: 'priority' },
  flex: { service_tier: 'flex' },
  batches: { mode: 'batch' },
};

/** `<direction>_cost_per_<unit>`, or the cache keys that have their direction inside. */
const STEMS: Readonly<Record<string, Pick<LitellmKey, 'meter' | 'options'> & { readonly pixel?: true }>> = {
  input_cost_per_token: { meter: 'input_token', options: {} },
  output_cost_per_token: { meter: 'output_token', options: {} },
  cache_read_input_token_cost: { meter: 'cache_read_token', options: {} },
  cache_creation_input_token_cost: { meter: 'cache_write_token', options: {} },
  output_cost_per_reasoning_token: { meter: 'reasoning_token', options: { mode: 'included' } },
  input_cost_per_image_token: { meter: 'image_input_token', options: {} },
  output_cost_per_image_token: { meter: 'image_output_token', options: {} },
  input_cost_per_audio_token: { meter: 'audio_input_token', options: {} },
  output_cost_per_audio_token: { meter: 'audio_output_token', options: {} },
  output_cost_per_image: { meter: 'image', options: {} },
  output_cost_per_pixel: { meter: 'image', options: {}, pixel: true },
  input_cost_per_pixel: { meter: 'image', options: {}, pixel: true },
  output_cost_per_second: { meter: 'video_second', options: {} },
  output_cost_per_video_per_second: { meter: 'video_second', options: {} },
  input_cost_per_request: { meter: 'request', options: {} },
  input_cost_per_query: { meter: 'request', options: {} },
  input_cost_per_character: { meter: 'character', options: {} },
  ocr_cost_per_page: { meter: 'page', options: {} },
};

const KEY =
  /^(.+?)(?:_above_(\d+)k_tokens)?(?:_above_(\d+)hr)?(?:_above_(\d+)k_tokens)?(?:_(priority|flex|batches))?$/;
const RESOLUTION = /^(output_cost_per_second)_(\d{3,4}p|4k)$/;

/**
 * Reads a key by the grammar `<direction>_cost_per_<unit>[_above_<N>k_tokens][_above_<T>hr][_<tier>]`; null for a key
 * that the grammar does not hold, which is then listed and never dropped.
 */
export function litellmKey(key: string): LitellmKey | null {
  const match = KEY.exec(key);
  if (match === null) return null;
  const [, name = '', first, hours, second, tier] = match;
  if (first !== undefined && second !== undefined) return null;
  const resolution = RESOLUTION.exec(name);
  const stem = STEMS[resolution?.[1] ?? name];
  if (stem === undefined || (hours !== undefined && (hours !== '1' || stem.meter !== 'cache_write_token')))
    return null;
  const thousands = first ?? second;
  return {
    meter: stem.meter,
    per: '1',
    options: {
      ...stem.options,
      ...(resolution === null ? {} : { resolution: resolution[2] ?? '' }),
      ...(hours === undefined ? {} : { ttl: '1h' as const }),
    },
    above: thousands === undefined ? null : `${thousands}000`,
    when: tier === undefined ? null : (TIERS[tier] ?? null),
    pixel: stem.pixel === true,
  };
}

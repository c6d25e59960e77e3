import type { Meter, ModelPrice, PriceComponent } from '../../contracts/price-book.ts';

/** USD for 1,000,000 tokens; none where there is no price. */
export function perMillion(
  meter: Meter,
  price: string | null | undefined,
  more: Partial<PriceComponent> = {},
): readonly PriceComponent[] {
  return price === null || price === undefined ? [] : [{ meter, price, per: '1000000', ...more }];
}

/** USD for one unit; none where there is no price. */
export function perUnit(
  meter: Meter,
  price: string | null | undefined,
  more: Partial<PriceComponent> = {},
): readonly PriceComponent[] {
  return price === null || price === undefined ? [] : [{ meter, price, per: '1', ...more }];
}

/** The components of `over` in place of those of the same meter and options, else those of `base`. */
export function overlay(
  base: readonly PriceComponent[],
  over: readonly PriceComponent[],
): readonly PriceComponent[] {
  const replaced = new Set(over.map(optionsOf));
  return [...base.filter((component) => !replaced.has(optionsOf(component))), ...over];
}

/** What a component is for: all but its price. */
export function optionsOf(component: PriceComponent): string {
  const { meter, size, quality, resolution, audio, ttl, tool } = component;
  return JSON.stringify([meter, size, quality, resolution, audio, ttl, tool]);
}

/** Text unless it has prices of images or seconds and none of tokens. */
export function componentKind(components: readonly PriceComponent[]): ModelPrice['kind'] {
  const meters = new Set(components.map(({ meter }) => meter));
  if (meters.has('input_token') || meters.has('output_token')) return 'text';
  if (meters.has('video_second')) return 'video';
  return meters.has('image') ? 'image' : 'text';
}

/** A count that the form of a price book has room for; null for anything else. */
export function countOf(text: unknown): number | null {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

import type { PriceBound, ScenarioPlan } from '../contracts/plan.ts';
import type { PriceBook } from '../contracts/price-book.ts';
import { priceBounds } from '../pricebook/charge/price-bounds.ts';

/** The most that one call of a scenario can cost by the book; null where its model is not priced for it. */
export function priceBoundOf(
  book: PriceBook,
  scenario: ScenarioPlan,
  maxOutput: number | null,
): PriceBound | null {
  const { model, kind, image, video } = scenario;
  const size = image?.size;
  return priceBounds(book, model, kind, {
    ...(image === null ? {} : { images: 1 }),
    ...(size === undefined ? {} : { size }),
    ...(image === null ? {} : { quality: image.quality }),
    ...(video === null ? {} : { seconds: video.seconds, resolution: video.size }),
    ...(maxOutput === null ? {} : { max_output_tokens: maxOutput }),
  });
}

/** One bound for each model and kind: the dearest of those that share both. */
export function mergeBounds(bounds: readonly PriceBound[]): PriceBound[] {
  const merged = new Map<string, PriceBound>();
  for (const bound of bounds) {
    const key = JSON.stringify([bound.model, bound.kind]);
    const held = merged.get(key);
    merged.set(key, held === undefined ? bound : dearest(held, bound));
  }
  return [...merged.values()];
}

function dearest(left: PriceBound, right: PriceBound): PriceBound {
  const higher = (one: string, other: string): string => (BigInt(one) >= BigInt(other) ? one : other);
  return {
    ...left,
    per_input_token: higher(left.per_input_token, right.per_input_token),
    per_output_token: higher(left.per_output_token, right.per_output_token),
    fixed: higher(left.fixed, right.fixed),
    max_output_tokens: Math.max(left.max_output_tokens, right.max_output_tokens),
  };
}

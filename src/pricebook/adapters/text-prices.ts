import type { ModelPrice, PriceComponent, Tiers } from '../../core/price-book.ts';
import { plainModel } from '../plain-model.ts';
import { perMillion } from './components.ts';

/** Prices of a text model as plain notation, USD for 1,000,000 tokens; null where there is none. */
export interface TextPrices {
  readonly input: string | null;
  readonly output: string | null;
  readonly cache_read: string | null;
  readonly cache_write: string | null;
  readonly reasoning: string | null;
}

function textComponents(prices: TextPrices): readonly PriceComponent[] {
  return [
    ...perMillion('input_token', prices.input),
    ...perMillion('output_token', prices.output),
    ...perMillion('cache_read_token', prices.cache_read),
    ...perMillion('cache_write_token', prices.cache_write),
    ...perMillion('reasoning_token', prices.reasoning, { mode: 'included' }),
  ];
}

/** A threshold that names all prices it has: what it leaves out counts as its own input or output, not as below it. */
export function tierComponents(base: TextPrices, tier: TextPrices): readonly PriceComponent[] {
  return textComponents({
    ...tier,
    cache_read: tier.cache_read ?? (base.cache_read === null ? null : tier.input),
    cache_write: tier.cache_write ?? (base.cache_write === null ? null : tier.input),
    reasoning: tier.reasoning ?? (base.reasoning === null ? null : tier.output),
  });
}

/** A text model of the embedded gateway with its tiers, its service tiers and its tools, whatever the layout. */
export function gatewayTextModel(model: {
  readonly id: string;
  readonly prices: TextPrices;
  /** Request fee and tools: they hold under every service tier. */
  readonly fixed: readonly PriceComponent[];
  readonly tiers: Tiers | null;
  readonly service_tiers: readonly { readonly service_tier: string; readonly prices: TextPrices }[];
  readonly max_output_tokens: number | null;
}): readonly ModelPrice[] {
  const { id, prices, fixed, tiers, service_tiers, max_output_tokens } = model;
  return [
    plainModel(id, 'text', [...textComponents(prices), ...fixed], { tiers, max_output_tokens }),
    ...service_tiers.map(({ service_tier, prices: own }) =>
      plainModel(id, 'text', [...textComponents(own), ...fixed], {
        when: { service_tier },
        // Above the price without a service tier, which fits every call.
        priority: 1,
        max_output_tokens,
      }),
    ),
  ];
}

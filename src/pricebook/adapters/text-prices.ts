import type { ModelPrice, PriceComponent, Tiers } from '../../contracts/price-book.ts';
import { perMillion } from './components.ts';
import { plainModel } from './plain-model.ts';

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

/** Context tiers as all layouts of the gateway have them, but for the words of a price. */
interface HeldTiers<Threshold> extends Pick<Tiers, 'basis' | 'mode' | 'inclusive'> {
  readonly thresholds: readonly Threshold[];
}

/** A threshold that names all prices it has: what it leaves out counts as its own input or output, not as below it. */
function tierComponents(base: TextPrices, tier: TextPrices): readonly PriceComponent[] {
  return textComponents({
    ...tier,
    cache_read: tier.cache_read ?? (base.cache_read === null ? null : tier.input),
    cache_write: tier.cache_write ?? (base.cache_write === null ? null : tier.input),
    reasoning: tier.reasoning ?? (base.reasoning === null ? null : tier.output),
  });
}

/** A text model of the embedded gateway with its tiers, its service tiers and its tools, whatever the layout. */
export function gatewayTextModel<
  Threshold extends { readonly above: string },
  Service extends { readonly service_tier: string },
>(model: {
  readonly id: string;
  readonly prices: TextPrices;
  /** Request fee and tools: they hold under every service tier. */
  readonly fixed: readonly PriceComponent[];
  readonly tiers: HeldTiers<Threshold> | null | undefined;
  readonly service_tiers: readonly Service[] | null | undefined;
  /** Those that a threshold or a service tier names. */
  readonly pricesOf: (held: Threshold | Service) => TextPrices;
  readonly max_output_tokens: number | null;
}): readonly ModelPrice[] {
  const { id, prices, fixed, service_tiers, pricesOf, max_output_tokens } = model;
  const tiers = model.tiers == null ? null : tiersOf(model.tiers, prices, pricesOf);
  return [
    plainModel(id, 'text', [...textComponents(prices), ...fixed], { tiers, max_output_tokens }),
    ...(service_tiers ?? []).map((held) =>
      plainModel(id, 'text', [...textComponents(pricesOf(held)), ...fixed], {
        when: { service_tier: held.service_tier },
        // Above the price without a service tier, which fits every call.
        priority: 1,
        max_output_tokens,
      }),
    ),
  ];
}

function tiersOf<Threshold extends { readonly above: string }>(
  { basis, mode, inclusive, thresholds }: HeldTiers<Threshold>,
  prices: TextPrices,
  pricesOf: (held: Threshold) => TextPrices,
): Tiers {
  return {
    basis,
    mode,
    inclusive,
    thresholds: thresholds.map((held) => ({
      above: held.above,
      components: tierComponents(prices, pricesOf(held)),
    })),
  };
}

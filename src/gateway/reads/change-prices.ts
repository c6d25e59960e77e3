import type { Gateway } from '../parts/gateway.ts';
import { priceChange } from '../prices/price-change.ts';
import { bookChangeOf, type PriceVersion } from '../pricing/price-history.ts';
import { unixSeconds } from '../time/clock.ts';

/**
 * Changes prices from now on, as `PUT /prices` of the control API asks: `{factor}` for all of them or
 * `{models: {id: {input, output, cache_read, cache_write} | {tiers}}}`. Gives the new version.
 * Throws ZodError for another body and UnknownPrice for a model, price or tier that does not exist.
 */
export function changePrices(
  { prices, clock }: Pick<Gateway, 'prices' | 'clock'>,
  body: unknown,
): PriceVersion {
  return prices.change(priceChange.parse(body), unixSeconds(clock.wallMs()));
}

/** Starts the clocks of the changes that come at a time of their own. */
export function changePricesInTime({
  prices,
  readings,
  clock,
  wheel,
}: Pick<Gateway, 'prices' | 'readings' | 'clock' | 'wheel'>): void {
  for (const given of readings.book_changes) {
    const { after_ms, change } = bookChangeOf(given);
    if (after_ms === undefined) continue;
    wheel.at(clock.monoMs() + after_ms, () => prices.change(change, unixSeconds(clock.wallMs())));
  }
}

import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import { priceNumber } from '../metrics/usd-number.ts';
import type { ListedPrice } from './listed-prices.ts';

const PRICES = [
  'weighbridge_price_usd_per_token',
  'weighbridge_price_usd_per_image',
  'weighbridge_price_usd_per_second',
  'weighbridge_price_usd_per_request',
] as const;

/** The prices of a target as they are now: what is not among them has no series any more. */
export function showPrices(
  metrics: ProbeMetricsRegistry,
  target: string,
  prices: readonly ListedPrice[],
): void {
  for (const name of PRICES) metrics.remove(name, { target });
  for (const price of prices) {
    const labels = { target, model: price.model };
    const usd = priceNumber(price.usd);
    switch (price.unit) {
      case 'token':
        metrics.set('weighbridge_price_usd_per_token', { ...labels, kind: price.kind }, usd);
        break;
      case 'image':
        metrics.set('weighbridge_price_usd_per_image', { ...labels, variant: price.variant }, usd);
        break;
      case 'second':
        metrics.set('weighbridge_price_usd_per_second', { ...labels, variant: price.variant }, usd);
        break;
      case 'request':
        metrics.set('weighbridge_price_usd_per_request', labels, usd);
    }
  }
}

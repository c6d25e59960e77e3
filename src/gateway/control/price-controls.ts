import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../parts/gateway.ts';
import { priceChange, UnknownPrice } from '../prices/price-change.ts';
import { changePrices } from '../reads/change-prices.ts';
import { controlBody } from './control-body.ts';
import { ControlError } from './control-error.ts';

/** A new version of the price book; records keep the version of their moment. */
export function priceControls(app: FastifyInstance, gateway: Gateway): void {
  app.get('/prices', async () => ({ versions: gateway.prices.versions.map(({ book }) => book) }));

  app.put('/prices', async ({ body }) => {
    const change = controlBody(priceChange, body);
    try {
      const { pricebook_id, pricing_version } = changePrices(gateway, change).book;
      return { pricebook_id, pricing_version };
    } catch (error) {
      if (error instanceof UnknownPrice) throw new ControlError(404, 'not_found', error.message);
      throw error;
    }
  });
}

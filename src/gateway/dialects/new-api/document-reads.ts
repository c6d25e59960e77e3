import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../parts/gateway.ts';
import { requestFaults } from '../../requests/request-faults-of.ts';
import { requestKey } from '../../requests/request-key.ts';
import { requireKey } from '../../requests/require-key.ts';
import { endpointTypes, priceList } from './price-list.ts';
import { UNITS_PER_USD } from './ratios.ts';

/** The same for every model. */
const CREATED = 1_626_777_600;

/** Models, prices, and the status that tells the unit. */
export function documentReads(app: FastifyInstance, gateway: Gateway): void {
  const { prices } = gateway;
  app.get('/v1/models', { onRequest: requireKey(gateway) }, async (request) => {
    const { models: allowed } = requestKey(request);
    const listed = prices.current.models.filter(({ id }) => allowed?.has(id) ?? true);
    return {
      success: true,
      message: '',
      data: listed.map((model) => ({
        id: model.id,
        object: 'model',
        created: CREATED,
        owned_by: 'custom',
        supported_endpoint_types: endpointTypes(model),
      })),
    };
  });
  let reads = 0;
  app.get('/api/pricing', async (request) => {
    const served = requestFaults(request).through(prices.current, (hooks, version) => hooks.book?.(version));
    reads += 1;
    return priceList(served.models, reads);
  });
  app.get('/api/status', async () => ({
    success: true,
    message: '',
    data: {
      system_name: 'New API',
      version: 'v0.0.0',
      quota_per_unit: UNITS_PER_USD,
      quota_display_type: 'USD',
      display_in_currency: true,
      price: 7.3,
      usd_exchange_rate: 7.3,
    },
  }));
}

import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../parts/gateway.ts';
import { servedBook } from '../pricing/served-book.ts';
import { requestFaults } from '../requests/request-faults-of.ts';

export function pricingRoutes(app: FastifyInstance, { prices, readings }: Gateway): void {
  app.get('/pricing.usd.json', async (request, reply) => {
    const { current } = prices;
    const etag = `"${current.book.pricing_version}"`;
    reply.header('etag', etag).header('cache-control', 'public, max-age=60');
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const served = requestFaults(request).through(current, (hooks, version) => hooks.book?.(version));
    return servedBook(served, readings);
  });
}

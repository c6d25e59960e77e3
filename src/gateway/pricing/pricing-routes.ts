import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../gateway.ts';

export function pricingRoutes(app: FastifyInstance, { book }: Gateway): void {
  const etag = `"${book.pricing_version}"`;
  app.get('/pricing.usd.json', async (request, reply) => {
    reply.header('etag', etag).header('cache-control', 'public, max-age=60');
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return book;
  });
}

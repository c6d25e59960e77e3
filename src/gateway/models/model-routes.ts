import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { authenticateKey, bearerOf } from '../server/authenticate.ts';
import { CATALOGUE } from './catalogue.ts';

export function modelRoutes(app: FastifyInstance, gateway: Gateway): void {
  app.get('/v1/models', async ({ headers }) => {
    const anonymous = headers.authorization === undefined;
    const key = anonymous ? null : authenticateKey(gateway.registry, bearerOf(headers));
    const listed = CATALOGUE.filter(({ id }) => key?.models?.has(id) ?? true);
    return {
      object: 'list',
      data: listed.map(({ id }) => ({
        id,
        object: 'model',
        created: gateway.book.effective_at,
        owned_by: 'weighbridge',
      })),
    };
  });
}

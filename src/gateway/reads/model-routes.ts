import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CATALOGUE } from '../models/catalogue.ts';
import type { Gateway } from '../parts/gateway.ts';
import { FIRST_EDITION } from '../pricing/price-book.ts';
import { authenticateKey, bearerOf } from '../requests/authenticate.ts';
import { keyIfAny, rememberKey } from '../requests/request-key.ts';

export function modelRoutes(app: FastifyInstance, gateway: Gateway): void {
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    const { headers } = request;
    if (headers.authorization === undefined) return;
    rememberKey(request, authenticateKey(gateway.registry, bearerOf(headers)));
  };
  app.get('/v1/models', { onRequest }, async (request) => {
    const key = keyIfAny(request);
    const listed = CATALOGUE.filter(({ id }) => key?.models?.has(id) ?? true);
    return {
      object: 'list',
      data: listed.map(({ id }) => ({
        id,
        object: 'model',
        created: FIRST_EDITION.effectiveAt,
        owned_by: 'weighbridge',
      })),
    };
  });
}

import type { FastifyInstance } from 'fastify';
import { baseOf } from '../images/image-routes.ts';
import { openapiDocument } from './openapi-document.ts';

/** Serves the description with the address under which the client reached this gateway. */
export function openapiRoutes(app: FastifyInstance): void {
  const made = openapiDocument('');
  app.get('/openapi.json', async (request) => ({ ...made, servers: [{ url: baseOf(request) }] }));
}

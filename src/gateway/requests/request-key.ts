import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiKey } from '../account/account.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that authenticated the request; null before that, and where none is asked for. */
    apiKey: ApiKey | null;
  }
}

/** Gives every request of an app a place for its key. */
export function holdKeys(app: FastifyInstance): void {
  app.decorateRequest('apiKey', null);
}

export function rememberKey(request: FastifyRequest, key: ApiKey): void {
  request.apiKey = key;
}

/** The key that authenticated a request; only for routes behind authentication. */
export function requestKey(request: FastifyRequest): ApiKey {
  if (request.apiKey === null)
    throw new Error(`no key was authenticated for ${request.method} ${request.routeOptions.url}`);
  return request.apiKey;
}

/** The key of a request on a route that may have none. */
export function keyIfAny(request: FastifyRequest): ApiKey | null {
  return request.apiKey;
}

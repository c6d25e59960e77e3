import type { FastifyRequest } from 'fastify';
import type { ApiKey } from '../account/account.ts';

const KEYS = new WeakMap<FastifyRequest, ApiKey>();

export function rememberKey(request: FastifyRequest, key: ApiKey): void {
  KEYS.set(request, key);
}

/** The key that authenticated a request; only for routes behind authentication. */
export function requestKey(request: FastifyRequest): ApiKey {
  const key = KEYS.get(request);
  if (key === undefined)
    throw new Error(`no key was authenticated for ${request.method} ${request.routeOptions.url}`);
  return key;
}

/** The key of a request on a route that may have none. */
export function keyIfAny(request: FastifyRequest): ApiKey | null {
  return KEYS.get(request) ?? null;
}

import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../http/api-error.ts';
import type { Gateway } from '../../parts/gateway.ts';
import { bearerOf } from '../../requests/authenticate.ts';

/** Who reads: the keys of one user by one of them, or every key by the master key, which is the access token. */
export function readerOf({ registry }: Gateway, { headers }: FastifyRequest) {
  const credential = bearerOf(headers);
  const key = credential === null ? null : registry.key(credential);
  if (key !== null) {
    const keys = registry.keys().filter(({ account }) => account === key.account);
    return { own: key, keys };
  }
  const master = credential !== null && registry.accountOfToken(credential) !== null;
  if (!master) throw new ApiError({ status: 401, message: 'Invalid token' });
  return { own: null, keys: registry.keys() };
}

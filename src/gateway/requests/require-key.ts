import { plainHook } from '../http/plain-hook.ts';
import type { Gateway } from '../parts/gateway.ts';
import { apiKeyHeaderOf, authenticateKey, bearerOf } from './authenticate.ts';
import { rememberKey } from './request-key.ts';

type KeyHook = ReturnType<typeof plainHook>;

/** Before the body is read: a call without a valid key costs nothing to refuse. */
export function requireKey(gateway: Gateway): KeyHook {
  return plainHook((request) => {
    rememberKey(request, authenticateKey(gateway.registry, bearerOf(request.headers)));
  });
}

/** Messages-style calls may carry the key in `x-api-key` too (interface §5). */
export function requireKeyOrHeader(gateway: Gateway): KeyHook {
  return plainHook((request) => {
    const credential = apiKeyHeaderOf(request.headers) ?? bearerOf(request.headers);
    rememberKey(request, authenticateKey(gateway.registry, credential));
  });
}

import { mix64 } from '../../core/marker.ts';
import type { Clock } from '../clock.ts';

/** Makes `YYYYMMDDhhmmss` + 6 digits of a counter + 8 letters or digits: 28 characters, never twice. */
export function requestIdSource(clock: Clock, salt: bigint): () => string {
  let count = 0n;
  return () => {
    count += 1n;
    const moment = new Date(clock.wallMs()).toISOString().replace(/\D/g, '').slice(0, 14);
    const ordinal = (count % 1_000_000n).toString().padStart(6, '0');
    const spread = mix64(salt + count)
      .toString(36)
      .padStart(8, '0')
      .slice(-8);
    return `${moment}${ordinal}${spread}`;
  };
}

/** One value under the three names that clients look for. */
export function requestIdHeaders(requestId: string): Record<string, string> {
  return { 'x-oneapi-request-id': requestId, 'x-request-id': requestId, 'request-id': requestId };
}

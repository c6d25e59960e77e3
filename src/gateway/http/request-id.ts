import { mix32 } from '../chance/quick-random.ts';
import { type Clock, unixSeconds } from '../time/clock.ts';

const HALF = 36 ** 4;

/** Makes `YYYYMMDDhhmmss` + 6 digits of a counter + 8 letters or digits: 28 characters, never twice. */
export function requestIdSource(clock: Clock, salt: bigint): () => string {
  const [upper, lower] = [Number((salt >> 32n) & 0xffffffffn), Number(salt & 0xffffffffn)];
  let count = 0;
  let second = -1;
  let moment = '';
  return () => {
    count += 1;
    const now = unixSeconds(clock.wallMs());
    if (now !== second) {
      second = now;
      moment = new Date(now * 1000).toISOString().replace(/\D/g, '').slice(0, 14);
    }
    const ordinal = String(count % 1_000_000).padStart(6, '0');
    return moment + ordinal + fourOf(mix32(count ^ upper)) + fourOf(mix32(count + lower));
  };
}

function fourOf(bits: number): string {
  return (bits % HALF).toString(36).padStart(4, '0');
}

/** One value under the three names that clients look for. */
export function requestIdHeaders(requestId: string): Record<string, string> {
  return { 'x-oneapi-request-id': requestId, 'x-request-id': requestId, 'request-id': requestId };
}

import { createHash } from 'node:crypto';

/** The API key that a request carries (interface §5); null where it carries none. */
export function keyOf(headers: Headers): string | null {
  const own = headers.get('x-api-key');
  if (own !== null && own !== '') return own;
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  return bearer ?? null;
}

/** First 16 hex digits of a key's SHA-256, as everywhere in a ledger. */
export function fingerprintOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

export function isFingerprint(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

import { formatInstant } from '../../core/time.ts';

const ZONED = /(?:[zZ]|[+-]\d\d:?\d\d)$/;
const DAY_AND_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?/;

/**
 * A moment as other programs write it: RFC 3339, a blank for the T, a zone or none, which is UTC. Null for
 * anything else.
 */
export function foreignInstant(text: string): string | null {
  if (!DAY_AND_TIME.test(text)) return null;
  const joined = text.replace(' ', 'T').replace(/ ?([+-]\d\d)$/, '$1:00');
  const ms = Date.parse(ZONED.test(joined) ? joined : `${joined}Z`);
  return Number.isNaN(ms) ? null : formatInstant(ms);
}

/** A count of seconds, milliseconds or nanoseconds since 1970, as text or number. */
export function instantOfCount(count: string | number, perSecond: bigint): string | null {
  const text = String(count);
  if (!/^\d{1,20}(\.\d+)?$/.test(text)) return null;
  const [whole = '0', fraction = ''] = text.split('.');
  const units = BigInt(whole) * 10n ** BigInt(fraction.length) + BigInt(`0${fraction}`);
  const ms = (units * 1000n) / (perSecond * 10n ** BigInt(fraction.length));
  return ms > 8_640_000_000_000_000n ? null : formatInstant(Number(ms));
}

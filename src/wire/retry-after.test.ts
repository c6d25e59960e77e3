import { describe, expect, it } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';

const SERVED = 'Fri, 20 Nov 2026 10:00:00 GMT';
const NOW = Date.parse('2026-11-20T09:00:00Z');

describe('retryAfterSeconds', () => {
  it.each([
    ['5', null, 5],
    [' 0.5 ', null, 0.5],
    ['Fri, 20 Nov 2026 10:00:30 GMT', SERVED, 30],
    ['Fri, 20 Nov 2026 10:00:30 GMT', null, 3630],
    ['Fri, 20 Nov 2026 08:00:00 GMT', SERVED, 0],
    ['soon', null, null],
  ] as const)('reads %s', (header, date, seconds) => {
    expect(retryAfterSeconds(header, date, NOW)).toBe(seconds);
  });

  it('knows nothing without the header', () => {
    expect(retryAfterSeconds(null, SERVED, NOW)).toBeNull();
  });
});

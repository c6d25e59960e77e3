import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

it.each([
  ['30s', 30_000],
  ['2m', 120_000],
  ['1m30s', 90_000],
  ['250ms', 250],
  ['0.5s', 500],
  ['1.005s', 1_005],
  ['1h', 3_600_000],
  ['0s', 0],
  ['744h', 2_678_400_000],
])('%s is %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

it.each(['', '30', 's', '-1s', '1.0005s', '1d', '30 s', '1s1m', '745h', '1e3s'])('%j is refused', (text) => {
  expect(parseDuration(text)).toBeNull();
});

it('reads back what it writes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_678_400_000 }), (ms) => parseDuration(formatDuration(ms)) === ms),
  );
});

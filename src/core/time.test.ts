import { expect, it } from 'vitest';
import { instantOfSecond } from './time.ts';

it.each([
  [1_795_176_000, '2026-11-20T12:00:00.000Z'],
  [0, '1970-01-01T00:00:00.000Z'],
  [253_402_300_799, '9999-12-31T23:59:59.000Z'],
])('second %i is %s', (second, text) => {
  expect(instantOfSecond(second)).toBe(text);
});

it('a second that no date holds is none', () => {
  expect([null, 253_402_300_800, 2 ** 53, -(2 ** 53)].map(instantOfSecond)).toEqual([null, null, null, null]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOf, formatAmount, parseAmount, readAmount } from './amount.ts';

test('an amount reads back as it was written', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 24n), 10n ** 24n), (amount) => {
      expect(parseAmount(formatAmount(amount))).toBe(amount);
    }),
  );
});

test('trailing zeros do not make an amount too precise', () => {
  expect(readAmount('1.2340000000000000000')).toEqual({ kind: 'exact', value: 1_234_000_000_000n });
});

test.each([
  ['0.0000000000015', 1n, 2n],
  ['-0.0000000000015', -2n, -1n],
])('%s is an interval and never rounded', (text, lo, hi) => {
  expect(readAmount(text)).toEqual({ kind: 'interval', lo, hi });
  expect(parseAmount(text)).toBeNull();
});

test.each(['', '1e-7', '0.1 USD', 'null'])('%j is malformed', (text) => {
  expect(readAmount(text)).toEqual({ kind: 'malformed' });
});

test('a decimal of more than 12 decimals has no amount', () => {
  expect(amountOf({ digits: 1n, scale: 13 })).toBeNull();
  expect(amountOf({ digits: 10n, scale: 13 })).toBe(1n);
});

test('zero has no sign and no decimals', () => {
  expect(formatAmount(0n)).toBe('0');
  expect(formatAmount(-1n)).toBe('-0.000000000001');
});

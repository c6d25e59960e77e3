import { expect, test } from 'vitest';
import { rational } from '../../core/rational.ts';
import { priceNumber, usdNumber } from './usd-number.ts';

test('an amount becomes the double of its decimal text', () => {
  expect(usdNumber(123_456_789_012_345_678n)).toBe(123456.78901234567);
  expect(usdNumber(1n)).toBe(1e-12);
  expect(usdNumber(-300_000_000_000n)).toBe(-0.3);
});

test('a price for a token is not the quotient of two doubles', () => {
  expect(3.3 / 1_000_000).not.toBe(3.3e-6);
  expect(priceNumber(rational(33n, 10n * 1_000_000n))).toBe(3.3e-6);
  // Fractions are not reduced: each side may be beyond what a double holds.
  expect(priceNumber(rational(15n * 10n ** 27n, 10n ** 35n))).toBe(1.5e-7);
  expect(priceNumber(rational(1n, 3n))).toBe(1 / 3);
});

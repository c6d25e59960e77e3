import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addRational,
  compareRational,
  multiplyRational,
  type Rational,
  rational,
  rationalOf,
  subtractRational,
} from './rational.ts';

const fraction: fc.Arbitrary<Rational> = fc
  .tuple(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.bigInt(1n, 10n ** 12n))
  .map(([num, den]) => rational(num, den));

test('sums do not depend on order or grouping', () => {
  fc.assert(
    fc.property(fraction, fraction, fraction, (a, b, c) => {
      expect(compareRational(addRational(a, b), addRational(b, a))).toBe(0);
      expect(compareRational(addRational(addRational(a, b), c), addRational(a, addRational(b, c)))).toBe(0);
      expect(compareRational(subtractRational(addRational(a, b), b), a)).toBe(0);
      const left = multiplyRational(a, addRational(b, c));
      expect(compareRational(left, addRational(multiplyRational(a, b), multiplyRational(a, c)))).toBe(0);
    }),
  );
});

test('the denominator is kept positive and never 0', () => {
  expect(rational(1n, -3n)).toEqual({ num: -1n, den: 3n });
  expect(() => rational(1n, 0n)).toThrow(RangeError);
});

test('a decimal becomes the same fraction', () => {
  expect(compareRational(rationalOf({ digits: 15n, scale: 2 }), rational(3n, 20n))).toBe(0);
});

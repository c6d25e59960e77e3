import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDecimal,
  compareDecimal,
  type Decimal,
  formatDecimal,
  multiplyDecimal,
  normalise,
  parseDecimal,
  parseNumberText,
  subtractDecimal,
} from './decimal.ts';

const decimal: fc.Arbitrary<Decimal> = fc.record({
  digits: fc.bigInt(-(10n ** 30n), 10n ** 30n),
  scale: fc.integer({ min: 0, max: 24 }),
});

describe('parseDecimal', () => {
  test.each(['', ' 1', '1 ', '+1', '.5', '1.', '1e3', '0x1', '1,5', 'NaN', '--1', '1.2.3', '１'])(
    'refuses %j',
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );

  test('keeps every digit of a long price', () => {
    expect(parseDecimal('0.000000000000000000000123')).toEqual({ digits: 123n, scale: 24 });
  });

  test('reads back what formatDecimal writes', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        expect(parseDecimal(formatDecimal(value))).toEqual(value);
      }),
    );
  });
});

describe('parseNumberText', () => {
  test.each([
    ['1e-7', '0.0000001'],
    ['1.5E+3', '1500'],
    ['-2.50', '-2.50'],
    ['12e2', '1200'],
    ['0.1', '0.1'],
  ])('%s is %s', (text, plain) => {
    const value = parseNumberText(text);
    expect(value === null ? null : formatDecimal(value)).toBe(plain);
  });
});

describe('arithmetic', () => {
  test('agrees with integers at a common scale', () => {
    fc.assert(
      fc.property(decimal, decimal, (left, right) => {
        const at = (value: Decimal): bigint => value.digits * 10n ** BigInt(48 - value.scale);
        expect(at(addDecimal(left, right))).toBe(at(left) + at(right));
        expect(at(subtractDecimal(left, right))).toBe(at(left) - at(right));
        expect(multiplyDecimal(left, right).digits).toBe(left.digits * right.digits);
        expect(Math.sign(compareDecimal(left, right))).toBe(
          at(left) < at(right) ? -1 : at(left) > at(right) ? 1 : 0,
        );
      }),
    );
  });

  test('normalise keeps the value and leaves no trailing zero', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        const short = normalise(value);
        expect(compareDecimal(short, value)).toBe(0);
        expect(short.scale === 0 || short.digits % 10n !== 0n).toBe(true);
      }),
    );
  });
});

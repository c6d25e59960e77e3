import type { Decimal } from './decimal.ts';

/** An exact fraction; `den` is always positive. Not reduced: sums here stay small. */
export interface Rational {
  readonly num: bigint;
  readonly den: bigint;
}

export const RATIONAL_ZERO: Rational = { num: 0n, den: 1n };

export function rational(num: bigint, den: bigint): Rational {
  if (den === 0n) throw new RangeError('rational: the denominator is 0');
  return den < 0n ? { num: -num, den: -den } : { num, den };
}

export function rationalOf(value: Decimal): Rational {
  return { num: value.digits, den: 10n ** BigInt(value.scale) };
}

export function addRational(left: Rational, right: Rational): Rational {
  return left.den === right.den
    ? { num: left.num + right.num, den: left.den }
    : { num: left.num * right.den + right.num * left.den, den: left.den * right.den };
}

export function subtractRational(left: Rational, right: Rational): Rational {
  return addRational(left, { num: -right.num, den: right.den });
}

export function multiplyRational(left: Rational, right: Rational): Rational {
  return { num: left.num * right.num, den: left.den * right.den };
}

/** −1, 0 or 1. */
export function compareRational(left: Rational, right: Rational): number {
  const difference = left.num * right.den - right.num * left.den;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

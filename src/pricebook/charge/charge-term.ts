import type { PriceComponent } from '../../contracts/price-book.ts';
import { formatTrimmed, parseDecimal } from '../../core/decimal.ts';
import { addRational, multiplyRational, type Rational, rational, rationalOf } from '../../core/rational.ts';
import { isPoint, type UnitSpan } from './charge-facts.ts';

/** An exact sum in USD, bounded on both sides; a point where both are equal. */
export interface RationalSpan {
  readonly lo: Rational;
  readonly hi: Rational;
}

const unitPrices = new WeakMap<PriceComponent, Rational>();

/** USD for one unit of a component; worked out once, as components never change. */
export function unitPrice(component: PriceComponent): Rational {
  const known = unitPrices.get(component);
  if (known !== undefined) return known;
  const price = multiplyRational(exact(component.price), inverse(exact(component.per)));
  unitPrices.set(component, price);
  return price;
}

/** Reads a decimal that the book reader has validated. */
export function exact(text: string): Rational {
  const value = parseDecimal(text);
  if (value === null) throw new RangeError(`charge: expected a plain decimal, found ${JSON.stringify(text)}`);
  return rationalOf(value);
}

export function times(price: Rational, units: bigint): Rational {
  return { num: price.num * units, den: price.den };
}

export function addSpans(left: RationalSpan, right: RationalSpan): RationalSpan {
  if (left.lo === left.hi && right.lo === right.hi) {
    const sum = addRational(left.lo, right.lo);
    return { lo: sum, hi: sum };
  }
  return { lo: addRational(left.lo, right.lo), hi: addRational(left.hi, right.hi) };
}

export function spanText(span: UnitSpan): string {
  return isPoint(span) ? span.lo.toString() : `${span.lo}..${span.hi}`;
}

export function rationalSpanText(span: RationalSpan): string {
  const lo = rationalText(span.lo);
  if (span.lo === span.hi) return lo;
  const hi = rationalText(span.hi);
  return lo === hi ? lo : `${lo}..${hi}`;
}

/** Exact plain decimal where the fraction has one, else `num/den` in lowest terms. */
export function rationalText(value: Rational): string {
  const power = POWER_OF_TEN.exec(value.den.toString());
  if (power !== null) return formatTrimmed({ digits: value.num, scale: power[0].length - 1 });
  const divisor = greatestCommonDivisor(value.num < 0n ? -value.num : value.num, value.den);
  const num = value.num / divisor;
  const den = value.den / divisor;
  let rest = den;
  let twos = 0;
  let fives = 0;
  while (rest % 2n === 0n) {
    rest /= 2n;
    twos += 1;
  }
  while (rest % 5n === 0n) {
    rest /= 5n;
    fives += 1;
  }
  if (rest !== 1n) return `${num}/${den}`;
  const scale = Math.max(twos, fives);
  return formatTrimmed({ digits: (num * 10n ** BigInt(scale)) / den, scale });
}

const POWER_OF_TEN = /^10*$/;

function inverse(value: Rational): Rational {
  return rational(value.den, value.num);
}

export function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let a = left;
  let b = right;
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}

import { formatDecimal, normalise, parseDecimal } from '../core/decimal.ts';
import type { PriceComponent } from '../core/price-book.ts';
import { addRational, multiplyRational, type Rational, rational, rationalOf } from '../core/rational.ts';
import type { ChargeLine } from '../core/reconciliation.ts';
import { isPoint, type Span } from './charge-facts.ts';

/** An exact sum in USD, bounded on both sides; a point where both are equal. */
export interface RationalSpan {
  readonly lo: Rational;
  readonly hi: Rational;
}

/** One line of a charge: units of a meter at a price. */
export interface ChargeTerm {
  readonly span: RationalSpan;
  readonly line: ChargeLine;
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
  return { lo: addRational(left.lo, right.lo), hi: addRational(left.hi, right.hi) };
}

export function termOf(meter: string, component: PriceComponent, units: Span): ChargeTerm {
  const price = unitPrice(component);
  const span = { lo: times(price, units.lo), hi: times(price, units.hi) };
  return {
    span,
    line: {
      meter,
      units: spanText(units),
      price: component.price,
      per: component.per,
      subtotal: rationalSpanText(span),
    },
  };
}

export function spanText(span: Span): string {
  return isPoint(span) ? span.lo.toString() : `${span.lo}..${span.hi}`;
}

export function rationalSpanText(span: RationalSpan): string {
  const lo = rationalText(span.lo);
  const hi = rationalText(span.hi);
  return lo === hi ? lo : `${lo}..${hi}`;
}

/** Exact plain decimal where the fraction has one, else `num/den` in lowest terms. */
export function rationalText(value: Rational): string {
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
  return formatDecimal(normalise({ digits: (num * 10n ** BigInt(scale)) / den, scale }));
}

function inverse(value: Rational): Rational {
  return rational(value.den, value.num);
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let a = left;
  let b = right;
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}

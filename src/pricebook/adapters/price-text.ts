import { formatDecimal, normalise, parseDecimal, parseNumberText } from '../../core/decimal.ts';
import { multiplyRational, type Rational, rational, rationalOf } from '../../core/rational.ts';

/** Longest text of a number that is read: one of a million digits would take the machine, not the price. */
const LONGEST_NUMBER = 80;
const LARGEST_EXPONENT = 40;
const MOST_DECIMALS = 40;

/** Plain notation of a number of zero or more, exponent allowed; null for anything else. */
export function priceText(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > LONGEST_NUMBER) return null;
  const exponent = /[eE]([+-]?\d+)$/.exec(text)?.[1] ?? '0';
  if (Math.abs(Number(exponent)) > LARGEST_EXPONENT) return null;
  const value = parseDecimal(text) ?? parseNumberText(text);
  return value === null || value.digits < 0n ? null : formatDecimal(normalise(value));
}

/** A ratio of zero or more: a number, or a fraction of whole numbers such as `219/55`. */
export function ratioOf(text: unknown): Rational | null {
  if (typeof text !== 'string' || text.length > LONGEST_NUMBER) return null;
  const fraction = /^(\d+)\/(\d+)$/.exec(text);
  if (fraction === null) {
    const plain = priceText(text);
    const value = plain === null ? null : parseDecimal(plain);
    return value === null ? null : rationalOf(value);
  }
  const below = BigInt(fraction[2] ?? '0');
  return below === 0n ? null : rational(BigInt(fraction[1] ?? '0'), below);
}

/** The product as plain notation; null where a factor is missing or the product has no end. */
export function product(...factors: readonly (Rational | null)[]): string | null {
  let held: Rational = { num: 1n, den: 1n };
  for (const factor of factors) {
    if (factor === null) return null;
    held = multiplyRational(held, factor);
  }
  return finiteText(held);
}

/** Plain notation of a fraction; null where its decimals never end, or are more than anybody prices with. */
function finiteText({ num, den }: Rational): string | null {
  const common = greatestDivisor(num < 0n ? -num : num, den);
  const bottom = den / common;
  let rest = bottom;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; rest /= 2n) twos += 1;
  for (; rest % 5n === 0n; rest /= 5n) fives += 1;
  const scale = Math.max(twos, fives);
  if (rest !== 1n || scale > MOST_DECIMALS) return null;
  return formatDecimal(normalise({ digits: ((num / common) * 10n ** BigInt(scale)) / bottom, scale }));
}

export function whole(units: number): Rational {
  return { num: BigInt(units), den: 1n };
}

function greatestDivisor(left: bigint, right: bigint): bigint {
  let [a, b] = [left, right];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}

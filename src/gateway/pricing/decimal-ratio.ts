import { type Decimal, formatDecimal, normalise, parseDecimal } from '../../core/decimal.ts';

/** `price` / `base` as exact text: a decimal where it has an end, else a reduced fraction such as `219/55`. */
export function decimalRatio(price: string, base: string): string {
  const left = decimalOf(price);
  const right = decimalOf(base);
  if (right.digits === 0n) throw new RangeError('decimalRatio: the base is 0');
  const scale = Math.max(left.scale, right.scale);
  const numerator = left.digits * 10n ** BigInt(scale - left.scale);
  const denominator = right.digits * 10n ** BigInt(scale - right.scale);
  const common = greatestDivisor(numerator, denominator);
  const top = numerator / common;
  const bottom = denominator / common;
  const digits = decimalsOf(bottom);
  if (digits === null) return `${top}/${bottom}`;
  return formatDecimal(normalise({ digits: (top * 10n ** BigInt(digits)) / bottom, scale: digits }));
}

/** Decimals that a fraction of this reduced denominator needs; null where they never end. */
function decimalsOf(denominator: bigint): number | null {
  let rest = denominator;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; rest /= 2n) twos += 1;
  for (; rest % 5n === 0n; rest /= 5n) fives += 1;
  return rest === 1n ? Math.max(twos, fives) : null;
}

function greatestDivisor(left: bigint, right: bigint): bigint {
  return right === 0n ? left : greatestDivisor(right, left % right);
}

function decimalOf(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === null) throw new RangeError(`not a plain decimal: ${text}`);
  return parsed;
}

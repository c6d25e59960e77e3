/** An exact decimal number: `digits` × 10^−`scale`. `scale` is never negative. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;
const SCIENTIFIC = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

export const ZERO: Decimal = { digits: 0n, scale: 0 };

/** Reads plain notation (`-12.50`); null for anything else, exponents and blanks included. */
export function parseDecimal(text: string): Decimal | null {
  const match = PLAIN.exec(text);
  if (match === null) return null;
  return fromParts(match[1] ?? '', match[2] ?? '', match[3] ?? '', 0);
}

/** Reads the source text of a JSON number, exponent allowed, without passing through a double. */
export function parseNumberText(text: string): Decimal | null {
  const match = SCIENTIFIC.exec(text);
  if (match === null) return null;
  return fromParts(match[1] ?? '', match[2] ?? '', match[3] ?? '', Number(match[4] ?? '0'));
}

/** Plain notation with `scale` decimals exactly as held; `normalise` first to drop trailing zeros. */
export function formatDecimal(value: Decimal): string {
  const negative = value.digits < 0n;
  const text = (negative ? -value.digits : value.digits).toString().padStart(value.scale + 1, '0');
  const whole = text.slice(0, text.length - value.scale);
  const fraction = text.slice(text.length - value.scale);
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const ZERO_DIGIT = '0'.charCodeAt(0);

/** Plain notation without trailing zeros. */
export function formatTrimmed({ digits, scale }: Decimal): string {
  if (digits === 0n) return '0';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const point = text.length - scale;
  let end = text.length;
  while (end > point && text.charCodeAt(end - 1) === ZERO_DIGIT) end -= 1;
  const number = end === point ? text.slice(0, point) : `${text.slice(0, point)}.${text.slice(point, end)}`;
  return digits < 0n ? `-${number}` : number;
}

/** The same number with the smallest scale that holds it. */
export function normalise(value: Decimal): Decimal {
  let { digits, scale } = value;
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  return { digits, scale };
}

export function addDecimal(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { digits: digitsAt(left, scale) + digitsAt(right, scale), scale };
}

export function subtractDecimal(left: Decimal, right: Decimal): Decimal {
  return addDecimal(left, { digits: -right.digits, scale: right.scale });
}

export function multiplyDecimal(left: Decimal, right: Decimal): Decimal {
  return { digits: left.digits * right.digits, scale: left.scale + right.scale };
}

/** Negative, zero or positive as `left` is below, equal to or above `right`. */
export function compareDecimal(left: Decimal, right: Decimal): number {
  const difference = subtractDecimal(left, right).digits;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function digitsAt(value: Decimal, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale);
}

function fromParts(sign: string, whole: string, fraction: string, exponent: number): Decimal {
  const text = `${whole}${fraction}`;
  // A double holds 15 digits exactly, and becomes an integer faster than a text does.
  const size = text.length <= 15 ? BigInt(Number(text)) : BigInt(text);
  const digits = sign === '-' ? -size : size;
  const scale = fraction.length - exponent;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

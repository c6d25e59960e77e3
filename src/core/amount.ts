import { type Decimal, formatTrimmed, normalise, parseDecimal, parseNumberText } from './decimal.ts';

/** USD in units of 10⁻¹²: the one scale in which amounts are summed and compared. */
export type PicoUsd = bigint;

export const AMOUNT_SCALE = 12;
const POWERS: readonly bigint[] = Array.from(
  { length: AMOUNT_SCALE + 1 },
  (_, power) => 10n ** BigInt(power),
);

/** What an amount text holds. A text of more than 12 decimals is an interval, never rounded in silence. */
export type AmountReading =
  | { readonly kind: 'exact'; readonly value: PicoUsd }
  | { readonly kind: 'interval'; readonly lo: PicoUsd; readonly hi: PicoUsd }
  | { readonly kind: 'malformed' };

/** Reads a decimal string as an amount (interface §2: USD amounts are strings). */
export function readAmount(text: string): AmountReading {
  const parsed = parseDecimal(text);
  if (parsed === null) return { kind: 'malformed' };
  const whole = amountOf(parsed);
  if (whole !== null) return { kind: 'exact', value: whole };
  const { digits, scale } = normalise(parsed);
  const unit = 10n ** BigInt(scale - AMOUNT_SCALE);
  const lo = digits >= 0n ? digits / unit : -((-digits + unit - 1n) / unit);
  return { kind: 'interval', lo, hi: lo + 1n };
}

/** Reads an amount that must be exact, or null; null too where there is none. */
export function parseAmount(text: string | null | undefined): PicoUsd | null {
  if (text == null) return null;
  const reading = readAmount(text);
  return reading.kind === 'exact' ? reading.value : null;
}

/** Plain decimal USD without trailing zeros: `1234000000000n` → `1.234`, `0n` → `0`. */
export function formatAmount(amount: PicoUsd): string {
  if (amount === lastAmount) return lastText;
  const text = formatTrimmed({ digits: amount, scale: AMOUNT_SCALE });
  // What is due, charged and paid of one call is mostly one amount, written many times in a row.
  if (amount !== 0n) {
    lastAmount = amount;
    lastText = text;
  }
  return text;
}

let lastAmount: PicoUsd = 0n;
let lastText = '0';

/** The amount of a decimal, or null where it needs more than 12 decimals. */
export function amountOf(value: Decimal): PicoUsd | null {
  const { digits, scale } = value.scale <= AMOUNT_SCALE ? value : normalise(value);
  return scale <= AMOUNT_SCALE ? digits * (POWERS[AMOUNT_SCALE - scale] ?? 1n) : null;
}

/** What a double prints is off by less than this part of it, and so are sums of a few of them. */
const NOISE_PART = 10n ** 14n;

/** The amount of at most 12 decimals that a double stands for; null where a text has more decimals of its own. */
export function behindNoise(text: string): PicoUsd | null {
  const parsed = parseNumberText(text);
  if (parsed === null || parsed.scale <= AMOUNT_SCALE) return null;
  const unit = 10n ** BigInt(parsed.scale - AMOUNT_SCALE);
  const size = parsed.digits < 0n ? -parsed.digits : parsed.digits;
  const meant = (size + unit / 2n) / unit;
  const off = size - meant * unit;
  if ((off < 0n ? -off : off) * NOISE_PART > size) return null;
  return parsed.digits < 0n ? -meant : meant;
}

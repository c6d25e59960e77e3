import { type Decimal, formatDecimal, normalise, parseDecimal } from './decimal.ts';

/** USD in units of 10⁻¹²: the one scale in which amounts are summed and compared. */
export type PicoUsd = bigint;

export const AMOUNT_SCALE = 12;

/** What an amount text holds. A text of more than 12 decimals is an interval, never rounded in silence. */
export type AmountReading =
  | { readonly kind: 'exact'; readonly value: PicoUsd }
  | { readonly kind: 'interval'; readonly lo: PicoUsd; readonly hi: PicoUsd }
  | { readonly kind: 'malformed' };

/** Reads a decimal string as an amount (interface §2: USD amounts are strings). */
export function readAmount(text: string): AmountReading {
  const parsed = parseDecimal(text);
  if (parsed === null) return { kind: 'malformed' };
  const { digits, scale } = normalise(parsed);
  if (scale <= AMOUNT_SCALE) return { kind: 'exact', value: digits * 10n ** BigInt(AMOUNT_SCALE - scale) };
  const unit = 10n ** BigInt(scale - AMOUNT_SCALE);
  const lo = digits >= 0n ? digits / unit : -((-digits + unit - 1n) / unit);
  return { kind: 'interval', lo, hi: lo + 1n };
}

/** Reads an amount that must be exact, or null. */
export function parseAmount(text: string): PicoUsd | null {
  const reading = readAmount(text);
  return reading.kind === 'exact' ? reading.value : null;
}

/** Plain decimal USD without trailing zeros: `1234000000000n` → `1.234`, `0n` → `0`. */
export function formatAmount(amount: PicoUsd): string {
  return formatDecimal(normalise({ digits: amount, scale: AMOUNT_SCALE }));
}

/** The amount of a decimal, or null where it needs more than 12 decimals. */
export function amountOf(value: Decimal): PicoUsd | null {
  const { digits, scale } = normalise(value);
  return scale <= AMOUNT_SCALE ? digits * 10n ** BigInt(AMOUNT_SCALE - scale) : null;
}

import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { formatTrimmed } from '../../core/decimal.ts';
import type { Rational } from '../../core/rational.ts';

/** Far below any price; what is cut off here a double could not show. */
const DECIMALS = 40;

/** A gauge of Prometheus is a double: here, and nowhere before, an exact amount becomes one. */
export function usdNumber(amount: PicoUsd): number {
  return Number(formatAmount(amount));
}

/** The double nearest to an exact price. */
export function priceNumber({ num, den }: Rational): number {
  return Number(formatTrimmed({ digits: (num * 10n ** BigInt(DECIMALS)) / den, scale: DECIMALS }));
}

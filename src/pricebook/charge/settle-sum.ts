import type { Minimum, Rounding } from '../../contracts/price-book.ts';
import { AMOUNT_SCALE, amountOf, type PicoUsd } from '../../core/amount.ts';
import { parseDecimal } from '../../core/decimal.ts';
import { compareRational, type Rational } from '../../core/rational.ts';
import { divideRounded, roundToQuantum } from '../../core/rounding.ts';
import { exact } from './charge-term.ts';

/** Whether a model has no price at all, and a call used no unit of any meter. */
export interface Priceless {
  readonly free: boolean;
  readonly unused: boolean;
}

/** The least charge where it applies: not for a free model, nor for a call without units, unless it says so. */
export function leastCharge(minimum: Minimum | null, { free, unused }: Priceless): Rational | null {
  if (minimum === null) return null;
  if (minimum.applies === 'nonzero_price' && free) return null;
  if (minimum.zero_tokens === 'zero' && unused) return null;
  return exact(minimum.amount);
}

export function atLeast(minimum: Minimum | null, sum: Rational, of: Priceless): Rational {
  const least = leastCharge(minimum, of);
  if (least === null) return sum;
  return compareRational(sum, least) < 0 ? least : sum;
}

/** The amounts that a charge may be after rounding: one, or where nothing rounds it both around its exact value. */
export function settled(rounding: Rounding, value: Rational): { readonly lo: PicoUsd; readonly hi: PicoUsd } {
  if (rounding.scope === 'none') {
    const num = value.num * 10n ** BigInt(AMOUNT_SCALE);
    return { lo: divideRounded(num, value.den, 'floor'), hi: divideRounded(num, value.den, 'ceil') };
  }
  const quantum = parseDecimal(rounding.quantum);
  const amount = quantum === null ? null : amountOf(roundToQuantum(value, quantum, rounding.mode));
  if (amount === null) {
    throw new RangeError(`charge: the quantum ${rounding.quantum} needs more than ${AMOUNT_SCALE} decimals`);
  }
  return { lo: amount, hi: amount };
}

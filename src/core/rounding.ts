import type { Decimal } from './decimal.ts';
import type { Rational } from './rational.ts';

/** half_up is half away from zero, as in most invoicing; half_even is the bankers' rule. */
export const ROUNDING_MODES = ['half_up', 'half_even', 'half_down', 'ceil', 'floor', 'trunc'] as const;
export type RoundingMode = (typeof ROUNDING_MODES)[number];

/** Rounds an exact fraction once to a multiple of `quantum` (a positive decimal such as 0.00000001). */
export function roundToQuantum(value: Rational, quantum: Decimal, mode: RoundingMode): Decimal {
  if (quantum.digits <= 0n) throw new RangeError('roundToQuantum: the quantum must be positive');
  const num = value.num * 10n ** BigInt(quantum.scale);
  const den = value.den * quantum.digits;
  return { digits: divideRounded(num, den, mode) * quantum.digits, scale: quantum.scale };
}

/** Integer division of `num` by a positive `den` under a rounding mode. */
export function divideRounded(num: bigint, den: bigint, mode: RoundingMode): bigint {
  const negative = num < 0n;
  const magnitude = negative ? -num : num;
  const whole = magnitude / den;
  const rest = magnitude % den;
  if (rest === 0n) return negative ? -whole : whole;
  const away = awayFromZero(mode, negative, whole, rest, den) ? whole + 1n : whole;
  return negative ? -away : away;
}

function awayFromZero(
  mode: RoundingMode,
  negative: boolean,
  whole: bigint,
  rest: bigint,
  den: bigint,
): boolean {
  const twice = rest * 2n;
  switch (mode) {
    case 'half_up':
      return twice >= den;
    case 'half_down':
      return twice > den;
    case 'half_even':
      return twice > den || (twice === den && whole % 2n === 1n);
    case 'ceil':
      return !negative;
    case 'floor':
      return negative;
    case 'trunc':
      return false;
  }
}

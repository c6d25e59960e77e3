import type { Rounding } from '../../contracts/price-book.ts';
import { AMOUNT_SCALE, type PicoUsd, parseAmount } from '../../core/amount.ts';
import type { Rational } from '../../core/rational.ts';
import { type AmountSpan, exactlySpan } from './hypothesis.ts';

const PICO = 10n ** BigInt(AMOUNT_SCALE);

/** Where the rounding is not told, a sum in the middle between two amounts may have become either. */
export function tieSpan(
  { exact, rounded }: { readonly exact: Rational; readonly rounded: PicoUsd },
  rounding: Rounding,
): AmountSpan {
  const quantum = parseAmount(rounding.quantum);
  if (quantum === null || quantum <= 0n) return exactlySpan(rounded);
  // In halves of the quantum: odd and whole in the middle.
  const num = 2n * exact.num * PICO;
  const den = exact.den * quantum;
  const halves = num / den;
  if (num % den !== 0n || halves % 2n === 0n) return exactlySpan(rounded);
  const lo = ((halves - 1n) / 2n) * quantum;
  return { lo, hi: lo + quantum };
}

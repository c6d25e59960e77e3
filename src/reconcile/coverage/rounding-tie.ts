import type { Rounding } from '../../contracts/price-book.ts';
import { parseDecimal } from '../../core/decimal.ts';
import { type Rational, rationalOf } from '../../core/rational.ts';

/** The tie that tells one way of rounding from another; null where whole charges are not rounded. */
export function tieLine({ scope, quantum, mode }: Rounding): string | null {
  return scope === 'record' ? `half of ${quantum} (${mode})` : null;
}

/** True where a charge before its rounding lies in the middle between two multiples of the quantum. */
export function isTie(exact: Rational | null, { quantum }: Rounding): boolean {
  const step = parseDecimal(quantum);
  if (exact === null || step === null || step.digits <= 0n) return false;
  const { num, den } = rationalOf(step);
  const halves = 2n * exact.num * den;
  const unit = exact.den * num;
  return halves % unit === 0n && (halves / unit) % 2n !== 0n;
}

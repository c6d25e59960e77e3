import type { AmountBounds } from '../expect/charge.ts';

/** What to do about a charge that is not the due one: nobody claims back what was not charged. */
export function amountStep(charge: AmountBounds, due: AmountBounds): string {
  return charge.hi < due.lo
    ? 'Nothing to claim: it charges less than is due. See that the price book is the agreed one, or tell the operator.'
    : 'Ask the operator how the amount comes about, with the request id and the price line.';
}

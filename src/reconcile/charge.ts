import { formatAmount, type PicoUsd } from '../core/amount.ts';
import type { BillingSettings } from './billing-settings.ts';
import { usd } from './make-finding.ts';
import type { ServedRecord } from './served-record.ts';

/** An amount as far as its text tells: one figure, or an interval of 10⁻¹² USD where it has more than 12 decimals. */
export interface Charge {
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
}

export const NO_CHARGE: Charge = { lo: 0n, hi: 0n };

/** Statuses under which an amount is not kept as a charge; any other one, named or not, charges. */
const NOT_CHARGING: readonly string[] = ['pending', 'refunded'];

export function isCharging(record: ServedRecord): boolean {
  return !NOT_CHARGING.includes(record.billing_status);
}

/** What a record has taken from the credit for good; null where an amount it rests on cannot be read. */
export function chargeOf(record: ServedRecord, settings: BillingSettings): Charge | null {
  if (record.billing_status === 'pending') return NO_CHARGE;
  const { amount, refunded } = record;
  if (amount.lo === null || amount.hi === null) return null;
  if (settings.amount_meaning === 'net') return { lo: amount.lo, hi: amount.hi };
  if (refunded.lo === null || refunded.hi === null) return null;
  return { lo: amount.lo - refunded.hi, hi: amount.hi - refunded.lo };
}

export function exactly(amount: PicoUsd): Charge {
  return { lo: amount, hi: amount };
}

/** Its one figure; null for an interval. */
export function exactOf({ lo, hi }: Charge): PicoUsd | null {
  return lo === hi ? lo : null;
}

export function isZero({ lo, hi }: Charge): boolean {
  return lo === 0n && hi === 0n;
}

/** True where both can be the same amount. */
export function overlaps(left: Charge, right: Charge): boolean {
  return left.lo <= right.hi && left.hi >= right.lo;
}

export function plus(left: Charge, right: Charge): Charge {
  return { lo: left.lo + right.lo, hi: left.hi + right.hi };
}

/** The sum; null where one of them is unknown. */
export function sumCharges(charges: readonly (Charge | null)[]): Charge | null {
  return charges.reduce<Charge | null>(
    (sum, charge) => (sum === null || charge === null ? null : plus(sum, charge)),
    NO_CHARGE,
  );
}

/** `left` minus `right` as the delta of a finding: one figure, or its bounds. */
export function deltaOf(
  left: Charge,
  right: Charge,
): PicoUsd | { readonly min: PicoUsd; readonly max: PicoUsd } {
  const min = left.lo - right.hi;
  const max = left.hi - right.lo;
  return min === max ? min : { min, max };
}

export function chargeText(charge: Charge | null): string {
  if (charge === null) return 'an amount that cannot be read';
  return charge.lo === charge.hi ? usd(charge.lo) : `between ${usd(charge.lo)} and ${usd(charge.hi)}`;
}

/** Decimal text of one figure; null for an interval or an unknown charge. */
export function exactText(charge: Charge | null): string | null {
  const exact = charge === null ? null : exactOf(charge);
  return exact === null ? null : formatAmount(exact);
}

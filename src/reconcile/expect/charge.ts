import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import type { AmountField, ServedRecord } from '../records/served-record.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import type { BillingSettings } from './billing-settings.ts';

/** An amount as far as its text tells: one figure, or an interval of 10⁻¹² USD where it has more than 12 decimals. */
export interface AmountBounds {
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
}

export const NO_CHARGE: AmountBounds = { lo: 0n, hi: 0n };

/** A status that waits or was given back does not charge; any other one does, whatever it is called. */
export function isCharging({ role }: ServedRecord): boolean {
  return role !== 'pending' && role !== 'refunded';
}

/**
 * What a record has taken from the credit for good; null where an amount it rests on cannot be read. One that was given
 * back took what did not come back of its reserve. No reading makes it negative.
 */
export function chargeOf(
  record: ServedRecord,
  settings: Pick<BillingSettings, 'amount_meaning'>,
): AmountBounds | null {
  if (record.role === 'pending') return NO_CHARGE;
  const { amount, refunded, reserved } = record;
  if (amount.lo === null || amount.hi === null) return null;
  if (settings.amount_meaning === 'gross' && (refunded.lo === null || refunded.hi === null)) return null;
  if (holdsRefund(record, settings)) {
    return { lo: amount.lo - (refunded.hi ?? 0n), hi: amount.hi - (refunded.lo ?? 0n) };
  }
  const left = record.role === 'refunded' ? leftOf(reserved, refunded) : 0n;
  return left === 0n ? { lo: amount.lo, hi: amount.hi } : exactly(left);
}

/**
 * True where the amount still holds what was given back: by the reading of the target's amounts, or, in a refunded
 * record, because it equals the whole reserve. A refund above the amount is in none.
 */
export function holdsRefund(
  { role, amount, refunded, reserved }: ServedRecord,
  { amount_meaning }: Pick<BillingSettings, 'amount_meaning'>,
): boolean {
  if (amount.lo === null || refunded.hi === null || refunded.hi <= 0n || amount.lo < refunded.hi)
    return false;
  if (amount_meaning === 'gross') return true;
  const whole = reserved.exact === 0n ? refunded.exact : reserved.exact;
  return role === 'refunded' && amount.exact !== null && amount.exact === whole;
}

/** The charge if the amount is meant the other way; null where the record's own amounts, or enough others, exclude that. */
export function otherMeaning(record: ServedRecord, settings: BillingSettings): AmountBounds | null {
  const { role, amount, refunded, reserved } = record;
  if (settings.amount_established || role === 'pending') return null;
  if (amount.exact === null || refunded.exact === null || reserved.exact === null) return null;
  if (refunded.exact <= 0n || refunded.exact > amount.exact) return null;
  const isNet = settings.amount_meaning === 'net';
  const whole = isNet ? amount.exact : amount.exact + refunded.exact;
  if (reserved.exact !== 0n && reserved.exact !== whole) return null;
  return exactly(isNet ? amount.exact - refunded.exact : amount.exact);
}

/** True where a settled record gave back more than the amount that holds its refund: its charge cannot be told. */
export function isBelowRefund(
  { role, amount, refunded }: ServedRecord,
  { amount_meaning }: Pick<BillingSettings, 'amount_meaning'>,
): boolean {
  if (role !== 'settled' || amount_meaning !== 'gross') return false;
  return amount.hi !== null && amount.hi >= 0n && refunded.lo !== null && amount.hi < refunded.lo;
}

/**
 * What a record keeps from the credit: its charge, or its reserve while that is held; null where it cannot be read.
 */
export function keptBy(record: ServedRecord, settings: BillingSettings): AmountBounds | null {
  const charge = chargeOf(record, settings);
  const held = record.role === 'pending' || (record.role === 'unknown' && charge !== null && isZero(charge));
  if (!held) return charge;
  const { lo, hi } = record.reserved;
  return lo === null || hi === null ? null : { lo, hi };
}

/**
 * What of a reserve did not come back; 0 where that cannot be told: of a trusted account, which reserves nothing, and of
 * a reserve that was released without calling it a refund.
 */
function leftOf({ exact: held }: AmountField, { exact: back }: AmountField): PicoUsd {
  return held === null || back === null || held <= 0n || back <= 0n ? 0n : held - back;
}

export function exactly(amount: PicoUsd): AmountBounds {
  return { lo: amount, hi: amount };
}

/** Its one figure; null for an interval. */
export function exactOf({ lo, hi }: AmountBounds): PicoUsd | null {
  return lo === hi ? lo : null;
}

export function isZero({ lo, hi }: AmountBounds): boolean {
  return lo === 0n && hi === 0n;
}

/** True where both can be the same amount. */
export function overlaps(left: AmountBounds, right: AmountBounds): boolean {
  return left.lo <= right.hi && left.hi >= right.lo;
}

function plus(left: AmountBounds, right: AmountBounds): AmountBounds {
  return { lo: left.lo + right.lo, hi: left.hi + right.hi };
}

/** The sum; null where one of them is unknown. */
export function sumCharges(charges: readonly (AmountBounds | null)[]): AmountBounds | null {
  return charges.reduce<AmountBounds | null>(
    (sum, charge) => (sum === null || charge === null ? null : plus(sum, charge)),
    NO_CHARGE,
  );
}

/** `left` minus `right` as the delta of a finding: one figure, or its bounds. */
export function deltaOf(
  left: AmountBounds,
  right: AmountBounds,
): PicoUsd | { readonly min: PicoUsd; readonly max: PicoUsd } {
  const min = left.lo - right.hi;
  const max = left.hi - right.lo;
  return min === max ? min : { min, max };
}

export function chargeText(charge: AmountBounds | null): string {
  if (charge === null) return 'an amount that cannot be read';
  return charge.lo === charge.hi
    ? signedUsdText(charge.lo)
    : `between ${signedUsdText(charge.lo)} and ${signedUsdText(charge.hi)}`;
}

/** Decimal text of one figure; null for an interval or an unknown charge. */
export function exactText(charge: AmountBounds | null): string | null {
  const exact = charge === null ? null : exactOf(charge);
  return exact === null ? null : formatAmount(exact);
}

/** The charge of one request: that of its first record, or of all where they are one charge. */
export function chargeOfRequest(
  group: readonly [ServedRecord, ...ServedRecord[]],
  settings: BillingSettings,
): AmountBounds | null {
  return isOneCharge(group) ? sumOfGroup(group, settings) : chargeOf(group[0], settings);
}

/** The sum of all records of one request. */
export function sumOfGroup(group: readonly ServedRecord[], settings: BillingSettings): AmountBounds | null {
  return sumCharges(group.map((record) => creditOf(record, group) ?? chargeOf(record, settings)));
}

/** True where the records are entries of one charge: one takes off what another charged, or tells its tokens. */
export function isOneCharge(group: readonly ServedRecord[]): boolean {
  return holdsCredit(group) || (group.length > 1 && isCountedOnce(group));
}

/** True where a record of the group takes something off another. */
export function holdsCredit(group: readonly ServedRecord[]): boolean {
  return group.some((record) => (record.amount.exact ?? 0n) < 0n || creditOf(record, group) !== null);
}

/** What a credit note gives back of the charge that another record of its call made; null for any other record. */
function creditOf(record: ServedRecord, group: readonly ServedRecord[]): AmountBounds | null {
  const back = record.refunded.exact;
  if (record.amount.exact !== 0n || back === null || back <= 0n) return null;
  // What reserved nothing gives back what another charged, were it more than that.
  const least = record.reserved.exact === 0n ? 1n : back;
  const isOfAnother = group.some(
    (other) => other !== record && other.role !== 'pending' && (other.amount.exact ?? 0n) >= least,
  );
  return isOfAnother ? exactly(-back) : null;
}

export function hasCounts({ input, output }: ServedRecord): boolean {
  return (input ?? 0n) > 0n || (output ?? 0n) > 0n;
}

/** True where one charge of several tells the tokens of the request: the others are entries of the same charge. */
export function isCountedOnce(group: readonly ServedRecord[]): boolean {
  return group.every(isCharging) && group.filter(hasCounts).length === 1;
}

/** A record with what all entries of its charge come to; as it is where they are several charges, or can't be read. */
export function withSum(
  record: ServedRecord,
  group: readonly ServedRecord[],
  settings: BillingSettings,
): ServedRecord {
  const sum = group.length > 1 && isCountedOnce(group) ? sumOfGroup(group, settings) : null;
  const exact = sum === null ? null : exactOf(sum);
  return exact === null ? record : { ...record, amount: fieldOf(exact), refunded: fieldOf(0n) };
}

function fieldOf(exact: PicoUsd): AmountField {
  return { text: formatAmount(exact), form: 'decimal', exact, lo: exact, hi: exact };
}

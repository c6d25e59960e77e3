import type { PicoUsd } from '../../core/amount.ts';
import type { ChargeEvent } from '../events/books-event.ts';
import type { ChargeRecord } from '../events/charge-record.ts';

/** What a record does to the credit: held back, or spent for good. */
export interface CreditEffect {
  readonly held: PicoUsd;
  readonly spent: PicoUsd;
}

export const NO_EFFECT: CreditEffect = { held: 0n, spent: 0n };

type Figures = Pick<ChargeRecord, 'status' | 'amount' | 'reserved' | 'refunded'>;

export function creditEffect({ status, amount, reserved, refunded }: Figures): CreditEffect {
  switch (status) {
    case 'settled':
      return { held: 0n, spent: amount };
    case 'refunded':
      return { held: 0n, spent: reserved - refunded };
    case 'pending':
    case 'unknown':
      return { held: reserved, spent: 0n };
  }
}

/** What a record costs the customer: its amount, what a refund kept, and what is still held back. */
export function costOf(record: Figures): PicoUsd {
  const { held, spent } = creditEffect(record);
  return held + spent;
}

/** By how much the credit moves from one effect to another. */
export function difference(after: CreditEffect, before: CreditEffect): CreditEffect {
  return { held: after.held - before.held, spent: after.spent - before.spent };
}

/**
 * Holds a line of the log against the record that the books have so far: it may move the credit by what the change of
 * the record comes to, and by nothing else. Throws RangeError with what was expected and found.
 */
export function requireFitting(before: ChargeRecord | null, event: ChargeEvent): void {
  const { record, isNew, requests } = event;
  if (isNew && before !== null) throw new RangeError(`record ${record.id} came twice`);
  if (!isNew && before === null) throw new RangeError(`there is no record ${record.id} to change`);
  if (requests > (isNew ? 1 : 0)) throw new RangeError(`record ${record.id} counts ${requests} requests`);
  if (requests === 1) requireReserve(record);
  const allowed = effectsOf(before, event);
  if (allowed.some(({ held, spent }) => held === event.held && spent === event.spent)) return;
  const [expected] = allowed.map(textOf);
  throw new RangeError(
    `record ${record.id} moves the credit by ${textOf(event)}, where its change comes to ${expected}`,
  );
}

/** A call begins with a reserve alone. */
function requireReserve({ id, status, amount, reserved, refunded }: ChargeRecord): void {
  if (status === 'pending' && amount === 0n && refunded === 0n && reserved >= 0n) return;
  throw new RangeError(
    `record ${id} begins as ${status} with amount ${amount}, reserved ${reserved}, refunded ${refunded}`,
  );
}

/** By how much a change may move the credit; the usual way first. */
function effectsOf(before: ChargeRecord | null, { record, requests }: ChargeEvent): readonly CreditEffect[] {
  const after = creditEffect(record);
  // A record of a fault may be free, and those of a log that was made anew are in the balances already.
  if (before === null) return requests === 1 ? [after] : [after, NO_EFFECT];
  const change = difference(after, creditEffect(before));
  // Faults file a record elsewhere, take it out of the books and put it back.
  if (before.keyFingerprint === record.keyFingerprint || !hasSameFigures(before, record)) return [change];
  return [NO_EFFECT, after, difference(NO_EFFECT, after)];
}

function hasSameFigures(left: ChargeRecord, right: ChargeRecord): boolean {
  return (
    left.status === right.status &&
    left.amount === right.amount &&
    left.reserved === right.reserved &&
    left.refunded === right.refunded
  );
}

function textOf({ held, spent }: CreditEffect): string {
  return `held ${held}, spent ${spent}`;
}

import type { ChargeEvent } from '../events/books-event.ts';
import type { ChargeRecord } from '../events/charge-record.ts';
import { type CreditEffect, creditEffect } from './credit-effect.ts';

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
  if (before === null) return requests === 1 ? [after] : [after, NONE];
  const change = difference(after, creditEffect(before));
  // Faults file a record elsewhere, take it out of the books and put it back.
  if (before.keyFingerprint === record.keyFingerprint || !hasSameFigures(before, record)) return [change];
  return [NONE, after, difference(NONE, after)];
}

const NONE: CreditEffect = { held: 0n, spent: 0n };

function hasSameFigures(left: ChargeRecord, right: ChargeRecord): boolean {
  return (
    left.status === right.status &&
    left.amount === right.amount &&
    left.reserved === right.reserved &&
    left.refunded === right.refunded
  );
}

function difference(after: CreditEffect, before: CreditEffect): CreditEffect {
  return { held: after.held - before.held, spent: after.spent - before.spent };
}

function textOf({ held, spent }: CreditEffect): string {
  return `held ${held}, spent ${spent}`;
}

import type { RecordFacts } from '../../contracts/reconciliation.ts';
import { type AmountReading, formatAmount, type PicoUsd, readAmount } from '../../core/amount.ts';
import { formatDecimal, parseNumberText } from '../../core/decimal.ts';

/** Sums over the records of a row, USD; null where one of them cannot be read. */
export function refundedBy(records: readonly RecordFacts[]): string | null {
  return sumOf(records.map(({ refunded }) => lowest(refunded.text)));
}

/** What records that are not settled yet hold of the credit. */
export function heldBy(records: readonly RecordFacts[]): string | null {
  return sumOf(records.map((record) => (isPending(record) ? lowest(record.reserved.text) : 0n)));
}

export function isPending({ role, billing_status }: RecordFacts): boolean {
  return (role ?? billing_status) === 'pending';
}

export function isRefunded({ role, billing_status }: RecordFacts): boolean {
  return (role ?? billing_status) === 'refunded';
}

/** Plain decimal; null where the text is no amount of at most 12 decimals. */
export function exactAmount(text: string): string | null {
  const reading = readServed(text);
  return reading.kind === 'exact' ? formatAmount(reading.value) : null;
}

/** An amount of more than 12 decimals counts with its lower bound, as in the money of the result. */
function lowest(text: string): PicoUsd | null {
  const reading = readServed(text);
  if (reading.kind === 'malformed') return null;
  return reading.kind === 'exact' ? reading.value : reading.lo;
}

/** A number with an exponent has a certain value too. */
function readServed(text: string): AmountReading {
  const plain = readAmount(text);
  if (plain.kind !== 'malformed') return plain;
  const number = parseNumberText(text);
  return number === null ? plain : readAmount(formatDecimal(number));
}

function sumOf(amounts: readonly (PicoUsd | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  if (known.length < amounts.length) return null;
  return formatAmount(known.reduce((sum, amount) => sum + amount, 0n));
}

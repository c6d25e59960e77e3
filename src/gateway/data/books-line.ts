import * as z from 'zod';
import { type BooksEvent, booksEvent, type ChargeEvent } from '../events/books-event.ts';

/** The first line of every books file. */
export const booksHeader = z.strictObject({
  schema: z.literal('weighbridge.gateway-data/2'),
  /** Internal units per USD of this gateway. */
  quotaPerUsd: z.int().min(1),
});
export type BooksHeader = z.infer<typeof booksHeader>;

/** One line, without its line end. */
export function booksLine(written: BooksEvent | BooksHeader): string {
  const isCharge = 'type' in written && written.type === 'charge';
  return isCharge ? JSON.stringify(chargeContent(written)) : JSON.stringify(written, amountsAsText);
}

function amountsAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Nearly all lines are charges, and a function that is called for each of their values takes most of their time. */
function chargeContent({ record: booked, held, spent, ...rest }: ChargeEvent): object {
  const { amount, reserved, refunded } = booked;
  const amounts = { amount: String(amount), reserved: String(reserved), refunded: String(refunded) };
  return { ...rest, record: { ...booked, ...amounts }, held: String(held), spent: String(spent) };
}

/** Throws SyntaxError or ZodError for a line that is no event. */
export function readBooksLine(line: string): BooksEvent {
  return booksEvent.parse(JSON.parse(line));
}

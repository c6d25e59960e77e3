import type { PicoUsd } from '../../../core/amount.ts';
import type { CallBooks } from '../../charging/call-books.ts';
import type { TokenUsage } from '../../events/charge-record.ts';

/** Half as much again: above any limit that a request may set. */
const OUTPUT_SHARE = 1.5;

/**
 * A charge above all that the call can have come to, and the tokens it goes by: output that no model of its name
 * writes, or twice the image or video. Null where it is not settled or costs nothing.
 */
export function mostPossible(
  books: CallBooks,
): { readonly amount: PicoUsd; readonly usage: TokenUsage } | null {
  const { work, record, used } = books;
  if (record.status !== 'settled' || record.amount === 0n || work === null) return null;
  if (work.kind !== 'text') return { amount: record.amount * 2n, usage: record.usage };
  const usage = { ...used, output: Math.ceil(work.model.max_output_tokens * OUTPUT_SHARE) };
  const amount = books.price(usage);
  return amount === null ? null : { amount, usage };
}

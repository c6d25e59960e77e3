import { gradeOf } from '../../pricebook/charge/evaluate-charge.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { bookOf, type JudgeContext } from './judge-context.ts';

/**
 * True where the price, or how the book rounds, was learnt from the rows themselves: that they agree with each other
 * proves no amount. Where the target tells the unit that it rounds to, the rows show the direction alone: no charge is moved
 * by a unit.
 */
export function restsOnInference(context: JudgeContext, call: PaidCall, record: ServedRecord): boolean {
  const book = bookOf(context, record);
  if (book === null) return false;
  const trust = context.shelf.trustOf(book, call.model, call.kind);
  return gradeOf(book) === 'inferred' || (trust.kind === 'undeclared' && !trust.told);
}

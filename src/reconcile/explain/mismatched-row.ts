import type { Finding } from '../../contracts/finding.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { PicoUsd } from '../../core/amount.ts';
import type { Rational } from '../../core/rational.ts';
import type { ChargeContext } from '../../pricebook/charge/charge-context.ts';
import type { ChargeFacts } from '../../pricebook/charge/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';

/** A call whose charge is one figure and whose facts are points, with the price line that it was judged by. */
export interface PricedRow {
  /** Orders rows the same way however the input came. */
  readonly key: string;
  readonly record_id: string;
  readonly charged: PicoUsd;
  readonly due: PicoUsd;
  /** What is due before it is rounded; null where it cannot be worked out as one figure. */
  readonly exact: Rational | null;
  /** What its record held before; null where it cannot be read. */
  readonly reserved: PicoUsd | null;
  readonly facts: ChargeFacts;
  readonly context: ChargeContext;
  readonly book: PriceBook;
  /** The book does not tell its rounding: that of the rows stands in, which says nothing of ties that no row shows. */
  readonly rounding_open: boolean;
}

/** A row whose amount differs from what is due, and the finding that says so. */
export interface MismatchedRow extends PricedRow {
  readonly finding: Finding;
}

/** What `book` charges for the facts; null where that is not one figure. */
export function priceOf(
  book: PriceBook,
  facts: ChargeFacts,
  context: ChargeContext,
): { readonly rounded: PicoUsd; readonly exact: Rational } | null {
  const charge = evaluateCharge(book, facts, context);
  if ('unpriced' in charge || charge.rounded === null || charge.exact === null) return null;
  return { rounded: charge.rounded, exact: charge.exact };
}

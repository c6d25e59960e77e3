import { OPEN_TERMS, type UntoldTerm } from '../../contracts/reconciliation.ts';
import type { BookShelf } from '../books/book-shelf.ts';
import type { ReconcileInput } from '../input/reconcile-input.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { BillingSettings } from './billing-settings.ts';

/**
 * The terms that neither the target publishes nor the configuration declares. What the records themselves show is no
 * term: it may be a habit, or chance. `shelf` is as it was served: one that learnt from its rows would tell of them.
 */
export function untoldTerms(
  { books, terms }: Pick<ReconcileInput, 'books' | 'terms'>,
  shelf: BookShelf,
  records: readonly ServedRecord[],
  { amount_established }: Pick<BillingSettings, 'amount_established'>,
): readonly UntoldTerm[] {
  const isOwn = books.length > 0 && books.every(({ own }) => own === true);
  const told: { readonly [T in UntoldTerm]: boolean } = {
    rounding: shelf.books.length > 0 && shelf.books.every((book) => tellsRounding(shelf, book)),
    amount_meaning: terms.readings.amount !== 'auto' && amount_established,
    price_edition: isOwn || (servesEditions(shelf) && records.every((record) => namesEdition(shelf, record))),
  };
  return OPEN_TERMS.filter((term) => !told[term]);
}

/** By itself, or as agreed for all of its prices. */
function tellsRounding(shelf: BookShelf, book: BookShelf['books'][number]): boolean {
  return (
    shelf.readingOf(book)?.rounding_declared === true ||
    book.models.every(({ rounding }) => rounding !== null)
  );
}

/** Each book tells its version, and none was served with two contents. */
function servesEditions(shelf: BookShelf): boolean {
  const named = shelf.books.every((book) => shelf.readingOf(book)?.identified === true);
  return shelf.books.length > 0 && named && shelf.reused_versions.length === 0;
}

/** The record charges nothing, or names a version that was served. */
function namesEdition(shelf: BookShelf, { amount, pricebook_id, pricing_version }: ServedRecord): boolean {
  return amount.exact === 0n || shelf.find(pricebook_id, pricing_version) !== null;
}

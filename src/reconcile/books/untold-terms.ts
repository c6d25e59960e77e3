import { OPEN_TERMS, type UntoldTerm } from '../../core/reconciliation.ts';
import type { ReconcileInput } from '../reconcile-input.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { BookShelf } from './book-shelf.ts';

/**
 * The terms that neither the target publishes nor the configuration declares. What the records themselves show is no
 * term: it may be a habit, or chance. `shelf` is as it was served: one that learnt from its rows would tell of them.
 */
export function untoldTerms(
  { books, terms }: Pick<ReconcileInput, 'books' | 'terms'>,
  shelf: BookShelf,
  records: readonly ServedRecord[],
): readonly UntoldTerm[] {
  const told: { readonly [T in UntoldTerm]: boolean } = {
    rounding: shelf.books.length > 0 && shelf.books.every((book) => tellsRounding(shelf, book)),
    amount_meaning: terms.readings.amount !== 'auto',
    price_edition:
      books.length > 0 &&
      (books.every(({ own }) => own === true) ||
        records.every((record) => record.amount.exact === 0n || namesEdition(shelf, record))),
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

/** The record names a version that was served, and with one content. */
function namesEdition(shelf: BookShelf, { pricebook_id, pricing_version }: ServedRecord): boolean {
  const book = shelf.find(pricebook_id, pricing_version);
  if (book === null || shelf.readingOf(book)?.identified !== true) return false;
  return !shelf.reused_versions.some(
    (each) => each.pricebook_id === pricebook_id && each.pricing_version === pricing_version,
  );
}

import type { PriceBook, Rounding } from '../../contracts/price-book.ts';
import { entriesOf } from '../../pricebook/charge/match-model.ts';

/** The rounding of a model's own entry, or that of the book. */
export function roundingOf(book: PriceBook, model: string): Rounding {
  return entriesOf(book, model).find(({ rounding }) => rounding !== null)?.rounding ?? book.rounding;
}

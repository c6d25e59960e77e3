import type { PriceBook } from '../../contracts/price-book.ts';

/** What follows from a book for one model is worked out once: books never change. */
export function ofModel<T>(
  known: WeakMap<PriceBook, Map<string, T>>,
  book: PriceBook,
  model: string,
  work: () => T,
): T {
  let models = known.get(book);
  if (models === undefined) {
    models = new Map();
    known.set(book, models);
  }
  const before = models.get(model);
  if (before !== undefined) return before;
  const made = work();
  models.set(model, made);
  return made;
}

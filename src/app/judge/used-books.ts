import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_BOOK } from '../../pricebook/archive/book-files.ts';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import type { BundleBook } from '../../report/claims/bundle-input.ts';

/** A served book has its SHA-256 as its name, one of the user's own a prefix before it. */
const NAME = new RegExp(`^(${OWN_BOOK})?([0-9a-f]{64})\\.(json|yaml|csv)$`);

/** The price books that a run folder is judged by: those served, or the own one that stands in their place. */
export function usedBooks(runDir: string): readonly Omit<BundleBook, 'bytes'>[] {
  const dir = join(runDir, 'books');
  if (!existsSync(dir)) return [];
  const books = readdirSync(dir)
    .sort()
    .flatMap((name) => {
      const [, own, sha256] = NAME.exec(name) ?? [];
      return sha256 === undefined ? [] : [{ name, own: own !== undefined, sha256 }];
    });
  const isOwn = books.some(({ own }) => own);
  return books
    .filter(({ own }) => own === isOwn)
    .map(({ name, own, sha256 }) => {
      const reading = readPriceBook(readFileSync(join(dir, name)));
      const told = 'book' in reading && reading.identified ? reading.book : null;
      return {
        name,
        own,
        sha256,
        id: told?.pricebook_id ?? (own ? 'a file of your own' : null),
        version: told?.pricing_version ?? null,
      };
    });
}

import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { UsageStore } from '../../collect/usage-store.ts';
import type { ResolvedBilling } from '../../config/resolve-billing.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import { keepUnderHash } from '../../pricebook/archive/archive-index.ts';
import { MAPPING_FILE, OWN_BOOK } from '../../pricebook/archive/book-files.ts';
import { sha256Of } from '../../pricebook/read/read-price-book.ts';
import { ArchivedDocuments } from '../watch/archived-documents.ts';
import { keepArchivedBooks } from '../watch/keep-archived-books.ts';

export interface RoundBooks {
  /** Emptied first; what the round rests on stands there until the next one. */
  readonly dir: string;
  /** Holds the books that were served during the calls. */
  readonly archive_dir: string;
  readonly window: UsageWindow;
  readonly billing: ResolvedBilling;
  readonly now_s: number;
}

/** Begins the folder of a round with the books of its time. */
export function keepRoundBooks({ dir, archive_dir, window, billing, now_s }: RoundBooks): void {
  rmSync(dir, { recursive: true, force: true });
  const books = join(dir, 'books');
  mkdirSync(books, { recursive: true });
  const store = new UsageStore(dir, 0, () => now_s);
  keepArchivedBooks(dir, new ArchivedDocuments(archive_dir), window, store);
  store.close();
  const { file, mapping } = billing.book;
  if (mapping !== null) copyFileSync(mapping, join(books, MAPPING_FILE));
  if (file === null) return;
  const bytes = readFileSync(file);
  const extension = { '.csv': 'csv', '.yaml': 'yaml', '.yml': 'yaml' }[extname(file)] ?? 'json';
  keepUnderHash(books, `${OWN_BOOK}${sha256Of(bytes)}`, bytes, extension);
}

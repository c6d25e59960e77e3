import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bookPath } from '../../collect/collect-book.ts';
import type { UsageStore } from '../../collect/usage-store.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import { keepUnderHash } from '../../pricebook/archive/archive-index.ts';
import type { ArchivedDocuments } from './archived-documents.ts';

/**
 * Puts the books that were served around a window into the folder of a judgement, with when each was seen: calls are
 * priced by the book of their time, which may not be that of now. Gives how many of them it did not hold.
 */
export function keepArchivedBooks(
  runDir: string,
  archived: ArchivedDocuments,
  { start, end }: UsageWindow,
  store: UsageStore,
  isKept: (sha256: string, at: string) => boolean = () => false,
): number {
  let contents = 0;
  for (const { stretch, bytes } of archived.booksOf(start * 1000, end * 1000)) {
    const { sha256, first_seen, last_seen } = stretch;
    for (const at of new Set([first_seen, last_seen])) {
      if (isKept(sha256, at)) continue;
      if (!existsSync(bookPath(runDir, sha256))) contents += 1;
      keepUnderHash(join(runDir, 'books'), sha256, bytes);
      store.read({ read: 'archived_book', sha256 }, at);
    }
  }
  return contents;
}

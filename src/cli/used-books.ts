import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPriceBook } from '../pricebook/read-price-book.ts';
import type { UsedBook } from '../report/summary-section.ts';

/** The price books of a run folder, by their SHA-256. */
export function usedBooks(runDir: string): readonly UsedBook[] {
  const dir = join(runDir, 'books');
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
    .sort()
    .map((name) => {
      const reading = readPriceBook(readFileSync(join(dir, name)));
      const told = 'book' in reading && reading.identified ? reading.book : null;
      return {
        sha256: name.slice(0, 64),
        id: told?.pricebook_id ?? null,
        version: told?.pricing_version ?? null,
      };
    });
}

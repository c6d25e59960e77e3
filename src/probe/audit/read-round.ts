import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { GatewayClient } from '../../client/gateway-client.ts';
import { collectBook } from '../../collect/collect-book.ts';
import { collectSweep } from '../../collect/collect-sweep.ts';
import type { ReaderState } from '../../collect/reader-state.ts';
import { UsageStore } from '../../collect/usage-store.ts';
import type { ResolvedBilling } from '../../config/resolve-billing.ts';
import type { UsageWindow } from '../../core/usage-lines.ts';
import { keepUnderHash } from '../../pricebook/archive-index.ts';
import { MAPPING_FILE, OWN_BOOK } from '../../pricebook/book-files.ts';
import { sha256Of } from '../../pricebook/read-price-book.ts';
import type { ArchivedDocuments } from '../watch/archived-documents.ts';
import { keepArchivedBooks } from '../watch/keep-archived-books.ts';

export interface RoundReads {
  readonly client: GatewayClient;
  /** Emptied first; what the round rests on stands there until the next one. */
  readonly dir: string;
  readonly window: UsageWindow;
  readonly billing: ResolvedBilling;
  /** Books that were served during the calls. */
  readonly archived: ArchivedDocuments;
  readonly secondsNow: () => number;
  /** What earlier rounds learnt of reading. */
  readonly state: ReaderState;
}

/** Reads records of the window and books of its time, free of charge. Null, or why there is nothing to judge by. */
export async function readRound(round: RoundReads): Promise<string | null> {
  const { client, dir, window, billing, secondsNow, state } = round;
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(join(dir, 'books'), { recursive: true });
  keepBooks(round);
  const book = await collectBook({ client, dir, sweep: 0, secondsNow });
  const sweep = await collectSweep({ client, dir, window, sweep: 1, prove: true, state, secondsNow });
  if (sweep.failure !== null) return sweep.reasons.join('; ');
  if (!book.ok && billing.book.file === null) return `the price book: ${book.message}`;
  return null;
}

function keepBooks({ dir, window, billing, archived, secondsNow }: RoundReads): void {
  const books = join(dir, 'books');
  const store = new UsageStore(dir, 0, secondsNow);
  keepArchivedBooks(dir, archived, window, store);
  store.close();
  const { file, mapping } = billing.book;
  if (mapping !== null) copyFileSync(mapping, join(books, MAPPING_FILE));
  if (file === null) return;
  const bytes = readFileSync(file);
  const extension = { '.csv': 'csv', '.yaml': 'yaml', '.yml': 'yaml' }[extname(file)] ?? 'json';
  keepUnderHash(books, `${OWN_BOOK}${sha256Of(bytes)}`, bytes, extension);
}

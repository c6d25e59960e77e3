import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { keepUnderHash } from '../../pricebook/archive/archive-index.ts';
import { MAPPING_FILE, OWN_BOOK } from '../../pricebook/archive/book-files.ts';
import { type Mapping, readMapping } from '../../pricebook/read/mapping-file.ts';
import { readPriceBook, sha256Of } from '../../pricebook/read/read-price-book.ts';
import { unreadReason } from '../folder/folder-file.ts';
import { readBilling } from '../folder/run-folder.ts';

/**
 * Copies a price book of the user's into the run folder, so that a later judgement rests on the same. Gives its bytes.
 * Throws `book_missing` and `book_unreadable` (exit 2).
 */
export function keepOwnBook(runDir: string, file: string): Uint8Array {
  const bytes = readInput('book_missing', 'a price book', file);
  refuseUnreadable(runDir, bytes, file);
  const extension = { '.csv': 'csv', '.yaml': 'yaml', '.yml': 'yaml' }[extname(file)] ?? 'json';
  keepUnderHash(join(runDir, 'books'), `${OWN_BOOK}${sha256Of(bytes)}`, bytes, extension);
  return bytes;
}

/** Copies a mapping file into the run folder. Throws `mapping_invalid` or `mapping_missing` (exit 2). */
export function keepMapping(runDir: string, file: string): Mapping {
  const bytes = readInput('mapping_missing', 'a mapping file', file);
  const mapping = readMapping(new TextDecoder().decode(bytes), file);
  mkdirSync(join(runDir, 'books'), { recursive: true });
  copyFileSync(file, join(runDir, 'books', MAPPING_FILE));
  return mapping;
}

/** A book that its owner gave is a file to correct: no verdict is made without it. */
function refuseUnreadable(runDir: string, bytes: Uint8Array, file: string): void {
  const stored = join(runDir, 'books', MAPPING_FILE);
  const mapping = existsSync(stored) ? readMapping(readFileSync(stored, 'utf8'), stored) : null;
  const reading = readPriceBook(bytes, { adapter: readBilling(runDir).book.adapter, mapping });
  if (!('unreadable' in reading)) return;
  throw new WeighbridgeError({
    code: 'book_unreadable',
    message: `${file}: expected a price book, found one that cannot be read: ${reading.unreadable.join('; ')}`,
    hint: 'docs/pricebooks.md shows the layouts that are known; billing.book.mapping reads any other',
  });
}

function readInput(code: string, what: string, file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new WeighbridgeError({
      code,
      message: `${file}: expected ${what}, found ${unreadReason(cause)}`,
      hint: 'correct --pricebook, or billing.book in the configuration, whose paths start from the folder of weighbridge.yaml',
      cause,
    });
  }
}

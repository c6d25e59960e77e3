import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { EXIT } from '../core/exit-code.ts';
import { WeighbridgeError } from '../core/failure.ts';
import { keepUnderHash } from '../pricebook/archive-index.ts';
import { MAPPING_FILE, OWN_BOOK } from '../pricebook/book-files.ts';
import { type Mapping, readMapping } from '../pricebook/mapping-file.ts';
import { sha256Of } from '../pricebook/read-price-book.ts';

/** Copies a price book of the user's into the run folder, so that a later judgement rests on the same. Gives its bytes. */
export function keepOwnBook(runDir: string, file: string): Uint8Array {
  const bytes = readInput('book_missing', 'a price book', file);
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

function readInput(code: string, what: string, file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new WeighbridgeError({
      code,
      message: `${file}: expected ${what}, found ${cause instanceof Error ? cause.message : String(cause)}`,
      hint: 'correct --pricebook, or billing.book in the configuration, whose paths start from the folder of weighbridge.yaml',
      exitCode: EXIT.usage,
      cause,
    });
  }
}

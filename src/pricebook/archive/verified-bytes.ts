import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { sha256Of } from '../read/read-price-book.ts';

/** The bytes of a file that is named by their SHA-256. Throws `book_corrupt` (exit 2) where they are others. */
export function verifiedBytes(path: string): Uint8Array {
  const bytes = readFileSync(path);
  const expected = basename(path).replace(/^own-|\.\w+$/g, '');
  const found = sha256Of(bytes);
  if (found === expected) return bytes;
  throw new WeighbridgeError({
    code: 'book_corrupt',
    message: `The price list ${path} was changed. Its name is not its SHA-256 ${found}.`,
    hint: 'Restore the file as it was served, or read the price list again in a new run.',
  });
}

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { EXIT } from '../../contracts/exit-code.ts';
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
    message: `${path}: expected bytes of the SHA-256 in its name, found ${found}`,
    hint: 'restore the book as it was served, or read it again in a new run: an edited book proves nothing',
    exitCode: EXIT.usage,
  });
}

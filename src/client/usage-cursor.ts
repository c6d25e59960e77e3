import { hash } from 'node:crypto';

/** A cursor is held, sent back and written down with every page: one of megabytes takes the memory and breaks the folder. */
const LONGEST_FOLLOWED_BYTES = 8_192;
const LONGEST_WRITTEN = 256;

/** Why the cursor to a next page is not followed; null where it can be. */
export function cursorFault(cursor: string): string | null {
  const bytes = Buffer.byteLength(cursor);
  if (bytes <= LONGEST_FOLLOWED_BYTES) return null;
  return `the cursor to the next page has ${bytes} bytes, more than the ${LONGEST_FOLLOWED_BYTES} that are followed`;
}

/** A cursor as it is compared and written down: a long one by its hash. */
export function cursorName(cursor: string): string {
  return cursor.length <= LONGEST_WRITTEN ? cursor : `sha256:${hash('sha256', cursor)}`;
}

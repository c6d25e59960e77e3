import { setImmediate } from 'node:timers/promises';

/** Records whose reading, hashing and comparing takes about a millisecond. */
const PIECE = 20;

/** Items a few at a time: in between others have their turn of the event loop, on which times of probes are taken. */
export async function* inPieces<T>(items: readonly T[], size = PIECE): AsyncGenerator<readonly T[], void> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await setImmediate();
    yield items.slice(from, from + size);
  }
}

import type { ReadLine } from '../../contracts/usage-lines.ts';
import { parseInstant } from '../../core/time.ts';

/** A moment at which a book was served to us. */
export interface BookSighting {
  readonly at_ms: number;
  readonly sha256: string;
  /** By an earlier read of another command: it tells what was served, and is no part of the reads that lie close. */
  readonly archived: boolean;
}

/** Reads every two seconds, and the time that a read takes: between two of them no version came and went unseen. */
export const DENSE_MS = 3_000;

/** Every read of the book, by time. */
export function bookSightings(reads: readonly ReadLine[]): readonly BookSighting[] {
  return reads
    .flatMap(({ read, sha256, read_at }) => {
      const archived = read === 'archived_book';
      const at = (read === 'book' || archived) && sha256 !== null ? parseInstant(read_at) : null;
      return at === null || sha256 === null ? [] : [{ at_ms: at, sha256, archived }];
    })
    .sort((left, right) => left.at_ms - right.at_ms);
}

/** The reads around a moment: the last one not after it and the first one after it. */
export function around(
  sightings: readonly BookSighting[],
  atMs: number,
): { readonly before: BookSighting | null; readonly after: BookSighting | null } {
  const next = sightings.findIndex(({ at_ms }) => at_ms > atMs);
  const index = next === -1 ? sightings.length : next;
  return { before: sightings[index - 1] ?? null, after: sightings[index] ?? null };
}

/**
 * True where one book was served from the first read until after this moment, at reads every two seconds. A
 * change in between proves nothing, even where it was seen: a further version may have come and gone at it, and a
 * record that is dated by its settlement names the version of an acceptance before.
 */
export function provesOneBook(all: readonly BookSighting[], atMs: number): boolean {
  const sightings = all.filter(({ archived }) => !archived);
  const end = sightings.findIndex(({ at_ms }) => at_ms > atMs);
  const [first] = sightings;
  if (first === undefined || end < 1 || first.at_ms > atMs) return false;
  return sightings.slice(1, end + 1).every((sighting, index) => {
    const earlier = sightings[index];
    return (
      earlier !== undefined && sighting.sha256 === first.sha256 && sighting.at_ms - earlier.at_ms <= DENSE_MS
    );
  });
}

/** So many reads in a row show that what they served has replaced what was served before. */
const READS_OF_A_CHANGE = 2;

/**
 * What was served in the place of a book at a moment: by the last two reads before it and by the next one, after an
 * earlier read had still shown the book. Null where the reads do not agree.
 */
export function servedInstead(
  sightings: readonly BookSighting[],
  isBook: (sha256: string) => boolean,
  atMs: number,
): string | null {
  const after = sightings.findIndex(({ at_ms }) => at_ms > atMs);
  const first = after - READS_OF_A_CHANGE;
  const around = sightings.slice(Math.max(first, 0), after + 1);
  const [one] = around;
  if (after === -1 || first < 1 || one === undefined || isBook(one.sha256)) return null;
  const isAlike = around.every(({ sha256 }) => sha256 === one.sha256);
  return isAlike && sightings.slice(0, first).some(({ sha256 }) => isBook(sha256)) ? one.sha256 : null;
}

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageStore, wallSeconds } from '../../collect/usage-store.ts';
import { ARCHIVED_READS, type UsageWindow } from '../../contracts/usage-lines.ts';
import { ArchivedDocuments, type ArchivedPage } from '../../probe/watch/archived-documents.ts';
import { keepArchivedBooks } from '../../probe/watch/keep-archived-books.ts';
import { watchedRecords } from '../../probe/watch/records-watch.ts';
import { contentOf } from '../../reconcile/records/served-record.ts';
import { plural } from '../../text/plural.ts';
import { notedReads } from './noted-reads.ts';

export interface ArchivedEvidence {
  /** `<state>/<target>`; null where there is none. */
  readonly home: string | null;
  readonly window: UsageWindow;
  /** Fingerprints of the keys whose bill it is: records that another key read are another bill. */
  readonly keys: readonly string[];
  /** False where a book of one's own stands in the place of the target's. */
  readonly books: boolean;
}

export interface TakenUp {
  readonly books: number;
  readonly records: number;
}

/**
 * Takes up from the archive of the target what was served in a period and since. Price books are taken, and records as
 * they stood when they were read: one that has changed or gone is seen. What stands in the folder already is passed
 * over. Throws `archive_corrupt` and `book_corrupt` (exit 2).
 */
export function keepArchived(runDir: string, { home, window, keys, books }: ArchivedEvidence): TakenUp {
  const taken = { books: 0, records: 0 };
  if (home === null) return taken;
  const known = knownReads(runDir);
  for (const dir of archivesOf(home)) {
    const archived = new ArchivedDocuments(dir);
    if (books) {
      const store = new UsageStore(runDir, 0, wallSeconds);
      taken.books += keepArchivedBooks(runDir, archived, window, store, (sha256, at) =>
        known.has(nameOf(sha256, at, null)),
      );
      store.close();
    }
    for (const key of keys) taken.records += keepRecordsOf(runDir, archived, key, window, known);
  }
  return taken;
}

/** Null where nothing was. */
export function takenUpText({ books, records }: TakenUp): string | null {
  if (books + records === 0) return null;
  return `taken up from the archive: ${plural(books, 'price book')}, ${plural(records, 'record')} as served before`;
}

/** Several keys of one address have archives side by side (docs/state.md). */
function archivesOf(home: string): readonly string[] {
  const parent = dirname(home);
  const beside = existsSync(parent)
    ? readdirSync(parent).filter((name) => name.startsWith(`${basename(home)}+`))
    : [];
  return [home, ...beside.sort().map((name) => join(parent, name))].map((dir) => join(dir, 'archive'));
}

function keepRecordsOf(
  runDir: string,
  archived: ArchivedDocuments,
  keyFp: string,
  window: UsageWindow,
  known: KnownReads,
): number {
  const last = new Map<string, string>();
  let store: UsageStore | null = null;
  let kept = 0;
  for (const { stretch, page } of archived.pagesOf(keyFp, window.start * 1000)) {
    const { sha256, first_seen: at } = stretch;
    const fresh = freshOf({ stretch, page }, window, last);
    if (fresh.length === 0 || known.has(nameOf(sha256, at, keyFp))) continue;
    const sweep = known.sweepAt(at);
    if (store === null || store.sweep !== sweep) {
      store?.close();
      store = new UsageStore(runDir, sweep, wallSeconds, keyFp);
    }
    // The read first: of a crash between the two less is known, and no record stands there twice.
    store.read({ read: 'archived_records', sha256, count: fresh.length }, at);
    const currency = typeof page.currency === 'string' ? page.currency : null;
    store.records({ read_at: at, by_request_id: true, currency }, fresh);
    kept += fresh.length;
  }
  store?.close();
  return kept;
}

/** The records of a page that are of the period, and other than they were served last. */
function freshOf(
  { stretch, page }: ArchivedPage,
  { start, end }: UsageWindow,
  last: Map<string, string>,
): readonly string[] {
  return watchedRecords(page, Date.parse(stretch.first_seen)).flatMap((record) => {
    const { created_at: second, key, served } = record;
    if (second === null || second < start || second >= end) return [];
    const content = contentOf(record);
    if (last.get(key) === content) return [];
    last.set(key, content);
    return [JSON.stringify(served)];
  });
}

interface KnownReads {
  has(name: string): boolean;
  /** The last sweep that had ended at a moment, to which what was read then is later; 0: before the first. */
  sweepAt(at: string): number;
}

const ARCHIVED: ReadonlySet<string> = new Set(ARCHIVED_READS);

function knownReads(runDir: string): KnownReads {
  const lines = notedReads(runDir);
  const names = new Set(
    lines.flatMap(({ read, sha256, read_at, key_fp }) =>
      ARCHIVED.has(read) && sha256 !== null ? [nameOf(sha256, read_at, key_fp)] : [],
    ),
  );
  const ends = lines.filter(({ read }) => read === 'sweep_end');
  return {
    has: (name) => names.has(name),
    sweepAt: (at) =>
      ends.reduce((most, { read_at, sweep }) => (read_at <= at && sweep > most ? sweep : most), 0),
  };
}

function nameOf(sha256: string, at: string, keyFp: string | null): string {
  return JSON.stringify([sha256, at, keyFp]);
}

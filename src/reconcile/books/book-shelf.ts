import { type BillingTerms, declaredIn, NO_TERMS } from '../../contracts/billing-terms.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { ReadLine } from '../../contracts/usage-lines.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { compareText } from '../../core/compare-text.ts';
import { parseInstant } from '../../core/time.ts';
import { applyAgreed } from '../../pricebook/charge/apply-agreed.ts';
import { bookContent } from '../../pricebook/read/book-content.ts';
import { type BookSetting, type ReadBook, servedContent } from '../../pricebook/read/read-price-book.ts';
import type { ArchivedBook } from '../input/reconcile-input.ts';
import {
  around,
  type BookSighting,
  bookSightings,
  DENSE_MS,
  provesOneBook,
  servedInstead,
} from './book-sightings.ts';
import { type CellTrust, FULL_TRUST } from './book-trust.ts';
import { declaredBook } from './declared-book.ts';

/** A book by its bytes, and what of it is not read. */
interface UnreadBook {
  readonly sha256: string;
  readonly reasons: readonly string[];
}

/** The archived price books, by id and version, with what was agreed beyond them. */
export interface BookShelf {
  /** Every book that was read, the last read last. Those that differ in their order alone are one. */
  readonly books: readonly PriceBook[];
  /** The book of the last read; null where none could be read. */
  readonly latest: PriceBook | null;
  readonly settings: readonly BookSetting[];
  /** Books that no adapter could read, with reasons. */
  readonly unreadable: readonly UnreadBook[];
  /** Books that hold figures which no rule reads, and which no rows bear out. */
  readonly doubted: readonly UnreadBook[];
  /** `id version` pairs under which books of different content were served. */
  readonly reused_versions: readonly { readonly pricebook_id: string; readonly pricing_version: string }[];
  /**
   * The book of a version. Of several contents under one version it is the one that was served at `atS` (Unix seconds):
   * null where it changed between the reads around it; without a moment the one read last. A book whose source names no
   * version is that of every record, and of several such books the same holds.
   */
  find(pricebookId: string, pricingVersion: string, atS?: number | null): PriceBook | null;
  /** The book that was in force at a moment, as far as the reads and the books' own dates show. */
  inForce(atS: number): BookInForce | null;
  /** The book that reads showed in the place of this one, before a moment and after it; null where they show no such. */
  replacedBy(book: PriceBook, atS: number): PriceBook | null;
  /** True where reads of the book prove that no version but the known ones was served until this second. */
  provesVersions(atS: number): boolean;
  /** How a book was read; null for one that does not stand here. */
  readingOf(book: PriceBook): ReadBook | null;
  /** How far charges by a book may be judged: in full, until rows are looked at (`trustedShelf`). */
  trustOf(book: PriceBook, model: string, endpoint: PaidKind): CellTrust;
}

interface BookInForce {
  readonly book: PriceBook;
  /** False where a version might have come and gone unseen. */
  readonly proved: boolean;
}

interface ShelfBook {
  readonly sha256: string;
  readonly reading: ReadBook;
  readonly book: PriceBook;
}

export function bookShelf(
  books: readonly ArchivedBook[],
  reads: readonly ReadLine[],
  terms: BillingTerms = NO_TERMS,
): BookShelf {
  const seen = bookSightings(reads);
  const lastSeen = new Map(seen.map(({ sha256, at_ms }) => [sha256, at_ms]));
  const ordered = [...books].sort(
    (left, right) =>
      (lastSeen.get(left.sha256) ?? 0) - (lastSeen.get(right.sha256) ?? 0) ||
      compareText(left.sha256, right.sha256),
  );
  const contents = new Map(ordered.map((book) => [book.sha256, contentOf(book)]));
  const lastOf = new Map([...contents].map(([sha256, content]) => [content, sha256]));
  const oneOf = (sha256: string): string => lastOf.get(contents.get(sha256) ?? '') ?? sha256;
  const sightings = seen.map((each) => ({ ...each, sha256: oneOf(each.sha256) }));
  const shelved = ordered.flatMap(({ sha256, reading }): readonly ShelfBook[] =>
    'unreadable' in reading || oneOf(sha256) !== sha256
      ? []
      : [{ sha256, reading, book: bookUnder(terms, reading) }],
  );
  const byVersion = new Map(
    [...Map.groupBy(shelved, ({ book }) => book.pricebook_id)].map(([id, held]) => {
      const versions = [...Map.groupBy(held, ({ book }) => book.pricing_version)];
      return [
        id,
        new Map(versions.map(([version, books]) => [version, contentsOf(books)] as const)),
      ] as const;
    }),
  );
  const byHash = new Map(shelved.map((held) => [held.sha256, held]));
  const ofAll = contentsOf(shelved.filter(({ reading }) => !reading.identified));
  const last = shelved.at(-1);
  return {
    books: shelved.map(({ book }) => book),
    latest: last?.book ?? null,
    doubted: [],
    settings: last === undefined ? [] : settingsOf(terms, last),
    unreadable: ordered.flatMap(({ sha256, reading }) =>
      'unreadable' in reading ? [{ sha256, reasons: reading.unreadable }] : [],
    ),
    reused_versions: [...byVersion.values()]
      .flatMap((held) => [...held.values()])
      .flatMap(({ books: [first], alike }) =>
        first === undefined || alike
          ? []
          : [{ pricebook_id: first.book.pricebook_id, pricing_version: first.book.pricing_version }],
      ),
    find(pricebookId, pricingVersion, atS = null) {
      const versions = byVersion.get(pricebookId);
      const { books: held, alike } =
        versions?.get(pricingVersion) ?? versions?.get(beforeContract(pricingVersion)) ?? ofAll;
      const one = atS === null || alike ? held.at(-1) : servedAt(held, sightings, atS);
      return one?.book ?? null;
    },
    inForce: (atS) => inForce(byHash, sightings, atS),
    replacedBy(book, atS) {
      const isBook = (sha256: string): boolean => byHash.get(sha256)?.book === book;
      return byHash.get(servedInstead(sightings, isBook, atS * 1000) ?? '')?.book ?? null;
    },
    provesVersions: (atS) => provesOneBook(sightings, atS * 1000),
    readingOf: (book) => shelved.find((held) => held.book === book)?.reading ?? null,
    trustOf: () => FULL_TRUST,
  };
}

/** A version may be told with the contract that it is charged under behind it. */
function beforeContract(pricingVersion: string): string {
  return pricingVersion.replace(/\/.*$/, '');
}

interface VersionContents {
  /** The last read last. */
  readonly books: readonly ShelfBook[];
  /** They have the same prices. */
  readonly alike: boolean;
}

function contentsOf(books: readonly ShelfBook[]): VersionContents {
  return { books, alike: books.length < 2 || new Set(books.map(({ book }) => bookContent(book))).size < 2 };
}

/** Equal for books of one id, version, time and prices that are read equally well. */
function contentOf({ reading }: ArchivedBook): string {
  if ('unreadable' in reading) return reading.sha256;
  const { partial, rounding_declared, identified, book, coverage } = reading;
  const unsupported = coverage.unsupported.map((each) => JSON.stringify(each)).sort();
  const read = [partial, rounding_declared, identified, book.valid_from, book.valid_to, unsupported];
  return JSON.stringify([servedContent(reading), read]);
}

function bookUnder({ agreed, group, readings }: BillingTerms, reading: ReadBook): PriceBook {
  return declaredBook(applyAgreed(reading.book, agreed, group), reading, readings);
}

/** What was agreed or declared stands in place of what the book does not tell. */
function settingsOf(terms: BillingTerms, { reading, book }: ShelfBook): readonly BookSetting[] {
  if (reading.rounding_declared || book.models.some(({ rounding }) => rounding === null))
    return reading.settings;
  const { rounding } = terms.readings;
  const agreed: BookSetting =
    rounding === null
      ? { name: 'rounding', value: 'as agreed', evidence: 'declared in billing.agreed' }
      : {
          name: 'rounding',
          value: `${rounding.mode} to ${rounding.quantum} USD, once a record`,
          evidence: `declared in ${declaredIn(terms, 'readings', 'rounding')}`,
        };
  return reading.settings.map((setting) => (setting.name === 'rounding' ? agreed : setting));
}

/** Of the contents of one version the one that reads show at a moment: both reads around it, or the nearer known one. */
function servedAt(
  versions: readonly ShelfBook[],
  sightings: readonly BookSighting[],
  atS: number,
): ShelfBook | null {
  const of = (sighting: BookSighting | null): ShelfBook | undefined =>
    versions.find(({ sha256 }) => sha256 === sighting?.sha256);
  // A second is a stretch of time: the read after it has to show the same.
  const { before } = around(sightings, atS * 1000);
  const { after } = around(sightings, atS * 1000 + 999);
  const [left, right] = [of(before), of(after)];
  if (left !== undefined && right !== undefined) return left === right ? left : null;
  return left ?? right ?? null;
}

function inForce(
  books: ReadonlyMap<string, ShelfBook>,
  sightings: readonly BookSighting[],
  atS: number,
): BookInForce | null {
  const { before } = around(sightings, atS * 1000);
  const { after } = around(sightings, atS * 1000 + 999);
  const left = before === null ? undefined : books.get(before.sha256);
  const right = after === null ? undefined : books.get(after.sha256);
  if (before !== null && after !== null && before.sha256 === after.sha256) {
    return left === undefined
      ? null
      : { book: left.book, proved: after.at_ms - before.at_ms <= DENSE_MS + 999 };
  }
  // The prices changed between two reads, or nothing was read on one side: a book that dates itself tells when.
  const began = right === undefined ? null : startOf(right.book);
  if (right !== undefined && began !== null && atS > began) return { book: right.book, proved: false };
  if (left === undefined) return null;
  if (right === undefined) return { book: left.book, proved: false };
  return began !== null && atS < began ? { book: left.book, proved: false } : null;
}

/** Unix seconds from which a book says that it holds; null where it does not say. */
function startOf({ valid_from }: PriceBook): number | null {
  const ms = valid_from === null ? null : parseInstant(valid_from);
  return ms === null ? null : ms / 1000;
}

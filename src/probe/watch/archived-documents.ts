import { existsSync } from 'node:fs';
import type { ZodType } from 'zod';
import { parseLosslessJson } from '../../client/lossless-json.ts';
import { modelListSchema, type UsagePageFrame, usagePageSchema } from '../../client/wire-schemas.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import { parseInstant } from '../../core/time.ts';
import { type ArchiveStretch, archivedFile, readArchive } from '../../pricebook/archive/archive-index.ts';
import { verifiedBytes } from '../../pricebook/archive/verified-bytes.ts';
import type { BookOptions } from '../../pricebook/read/adapt-book.ts';
import { readPriceBook, servedContent } from '../../pricebook/read/read-price-book.ts';
import type { EarlierBook } from './book-watch.ts';
import type { ListCredential } from './model-watch.ts';

/** Pages that are looked at for records of earlier: a busy key has a thousand records on each. */
const MOST_PAGES = 200;
/** Books that are looked at for when the last one began: a gateway may serve it in another order at each read. */
const MOST_BOOKS = 50;

export interface ArchivedPage {
  readonly stretch: ArchiveStretch;
  readonly page: UsagePageFrame;
}

/** What an archive tells of earlier reads. Files that were taken out of it are passed over. */
export class ArchivedDocuments {
  readonly #dir: string;
  readonly #stretches: readonly ArchiveStretch[];

  /** Throws `archive_corrupt` (exit 2). */
  constructor(dir: string) {
    this.#dir = dir;
    this.#stretches = readArchive(dir);
  }

  /** The last model lists; of a credential that none was read with, none. */
  models(): ReadonlyMap<ListCredential, readonly string[]> {
    const lists = (['none', 'key'] as const).flatMap((credential) => {
      const last = this.#of('models', credential).at(-1);
      const list = last === undefined ? null : this.#json(last, modelListSchema);
      return list === null ? [] : [[credential, list.data.map(({ id }) => id)] as const];
    });
    return new Map(lists);
  }

  book(reader: BookOptions): EarlierBook {
    let content: string | null = null;
    let book: PriceBook | null = null;
    let since: string | null = null;
    let changed: string | null = null;
    for (const stretch of this.#of('book', null).slice(-MOST_BOOKS).reverse()) {
      const bytes = this.#bytes(stretch);
      const reading = bytes === null ? null : readPriceBook(bytes, reader);
      if (reading !== null && 'book' in reading) book ??= reading.book;
      const served = reading === null ? stretch.sha256 : servedContent(reading);
      content ??= served;
      if (served !== content) changed ??= since;
      since = stretch.first_seen;
      if (changed !== null && book !== null) break;
    }
    return { content, book, changed_ms: changed === null ? null : parseInstant(changed) };
  }

  /** Pages of request records, the oldest first. */
  pages(): readonly { readonly page: UsagePageFrame; readonly at_ms: number }[] {
    const stretches = this.#stretches.filter(({ what }) => what === 'records').slice(-MOST_PAGES);
    return stretches.flatMap((stretch) => {
      const page = this.#json(stretch, usagePageSchema);
      return page === null ? [] : [{ page, at_ms: parseInstant(stretch.first_seen) ?? 0 }];
    });
  }

  /** Pages of the request records of a key that were first seen from a moment on, the oldest first, one at a time. */
  *pagesOf(keyFp: string, sinceMs: number): Generator<ArchivedPage> {
    for (const stretch of this.#stretches) {
      if (stretch.what !== 'records' || stretch.key_fp !== keyFp) continue;
      if ((parseInstant(stretch.first_seen) ?? 0) < sinceMs) continue;
      const page = this.#json(stretch, usagePageSchema);
      if (page !== null) yield { stretch, page };
    }
  }

  /** Books of a stretch of time: from the one served at its start to the first that was seen after its end. */
  booksOf(
    sinceMs: number,
    untilMs: number,
  ): readonly { readonly stretch: ArchiveStretch; readonly bytes: Uint8Array }[] {
    const stretches = this.#of('book', null);
    const seenMs = ({ first_seen }: ArchiveStretch): number => parseInstant(first_seen) ?? 0;
    const first = stretches.findLastIndex((stretch) => seenMs(stretch) <= sinceMs);
    const after = stretches.findIndex((stretch) => seenMs(stretch) > untilMs);
    const end = after === -1 ? stretches.length : after + 1;
    return stretches.slice(Math.max(0, first), end).flatMap((stretch) => {
      const bytes = this.#bytes(stretch);
      return bytes === null ? [] : [{ stretch, bytes }];
    });
  }

  #of(what: ArchiveStretch['what'], part: string | null): readonly ArchiveStretch[] {
    return this.#stretches.filter((each) => each.what === what && each.part === part);
  }

  #bytes(stretch: ArchiveStretch): Uint8Array | null {
    const file = archivedFile(this.#dir, stretch);
    return existsSync(file) ? verifiedBytes(file) : null;
  }

  #json<T>(stretch: ArchiveStretch, schema: ZodType<T>): T | null {
    const bytes = this.#bytes(stretch);
    if (bytes === null) return null;
    const parsed = schema.safeParse(parseLosslessJson(new TextDecoder().decode(bytes)).value);
    return parsed.success ? parsed.data : null;
  }
}

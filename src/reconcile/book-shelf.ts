import type { PriceBook } from '../core/price-book.ts';
import type { ReadLine } from '../core/usage-lines.ts';
import type { BookSetting } from '../pricebook/read-price-book.ts';
import { compareText } from './judged-sweep.ts';
import type { ArchivedBook } from './reconcile-input.ts';
import { canonicalJson } from './served-record.ts';

/** The archived price books, by id and version. */
export interface BookShelf {
  /** The book of the last read; null where none could be read. */
  readonly latest: PriceBook | null;
  readonly settings: readonly BookSetting[];
  /** Books that no adapter could read, with reasons. */
  readonly unreadable: readonly { readonly sha256: string; readonly reasons: readonly string[] }[];
  /** `id version` pairs under which books of different content were served. */
  readonly reused_versions: readonly { readonly pricebook_id: string; readonly pricing_version: string }[];
  find(pricebookId: string, pricingVersion: string): PriceBook | null;
}

export function bookShelf(books: readonly ArchivedBook[], reads: readonly ReadLine[]): BookShelf {
  const lastRead = new Map<string, string>();
  for (const { read, sha256, read_at } of reads) {
    if (read === 'book' && sha256 !== null && read_at > (lastRead.get(sha256) ?? ''))
      lastRead.set(sha256, read_at);
  }
  const ordered = [...books].sort(
    (left, right) =>
      compareText(lastRead.get(left.sha256) ?? '', lastRead.get(right.sha256) ?? '') ||
      compareText(left.sha256, right.sha256),
  );
  const byVersion = new Map<string, PriceBook>();
  const reused = new Map<string, PriceBook>();
  let latest: PriceBook | null = null;
  let settings: readonly BookSetting[] = [];
  const unreadable: { sha256: string; reasons: readonly string[] }[] = [];
  for (const { sha256, reading } of ordered) {
    if ('unreadable' in reading) {
      unreadable.push({ sha256, reasons: reading.unreadable });
      continue;
    }
    const { book } = reading;
    const key = versionKey(book.pricebook_id, book.pricing_version);
    const before = byVersion.get(key);
    if (before !== undefined && prices(before) !== prices(book)) reused.set(key, book);
    byVersion.set(key, book);
    latest = book;
    settings = reading.settings;
  }
  return {
    latest,
    settings,
    unreadable,
    reused_versions: [...reused.values()].map(({ pricebook_id, pricing_version }) => ({
      pricebook_id,
      pricing_version,
    })),
    find: (pricebookId, pricingVersion) => byVersion.get(versionKey(pricebookId, pricingVersion)) ?? null,
  };
}

function versionKey(pricebookId: string, pricingVersion: string): string {
  return JSON.stringify([pricebookId, pricingVersion]);
}

function prices({ models, adjustments, rounding, usage_semantics }: PriceBook): string {
  return canonicalJson({ models, adjustments, rounding, usage_semantics });
}

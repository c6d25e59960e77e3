import { BOOK_CHANGES, BOOK_STATES } from '../../contracts/metrics/label-values.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import { entriesOf } from '../../pricebook/charge/match-model.ts';
import type { BookOptions } from '../../pricebook/read/adapt-book.ts';
import { readPriceBook, servedContent } from '../../pricebook/read/read-price-book.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import { priceNumber } from '../metrics/usd-number.ts';
import { type BookDifference, bookChanges } from './book-changes.ts';
import { type ListedPrice, listedPrices } from './listed-prices.ts';

const PRICES = [
  'weighbridge_price_usd_per_token',
  'weighbridge_price_usd_per_image',
  'weighbridge_price_usd_per_second',
  'weighbridge_price_usd_per_request',
] as const;

/** The prices of a target as they are now: what is not among them has no series any more. */
function showPrices(metrics: ProbeMetricsRegistry, target: string, prices: readonly ListedPrice[]): void {
  for (const name of PRICES) metrics.remove(name, { target });
  for (const price of prices) {
    const labels = { target, model: price.model };
    const usd = priceNumber(price.usd);
    switch (price.unit) {
      case 'token':
        metrics.set('weighbridge_price_usd_per_token', { ...labels, kind: price.kind }, usd);
        break;
      case 'image':
        metrics.set('weighbridge_price_usd_per_image', { ...labels, variant: price.variant }, usd);
        break;
      case 'second':
        metrics.set('weighbridge_price_usd_per_second', { ...labels, variant: price.variant }, usd);
        break;
      case 'request':
        metrics.set('weighbridge_price_usd_per_request', labels, usd);
    }
  }
}

/** What earlier processes archived of the price book. */
export interface EarlierBook {
  /** Of the one served last, whatever its order; null where none was. */
  readonly content: string | null;
  /** The last one that could be read. */
  readonly book: PriceBook | null;
  /** When it was first served in place of another one; null where that is not known. */
  readonly changed_ms: number | null;
}

export interface BookWatchOptions {
  readonly target: ProbeTarget;
  readonly metrics: ProbeMetricsRegistry;
  readonly reader: BookOptions;
  /** Ours, where the book has groups. */
  readonly group: string | null;
  readonly earlier: EarlierBook;
}

export interface BookSeen {
  /** Empty for the first read of all, and while the book cannot be read. */
  readonly differences: readonly BookDifference[];
  /** Why the book cannot be read; empty where it can. */
  readonly unreadable: readonly string[];
}

const TIMES = [
  'weighbridge_pricebook_last_fetch_timestamp_seconds',
  'weighbridge_pricebook_last_change_timestamp_seconds',
] as const;

/** Prices as they are published, and how they change. A book that cannot be read has no price, which is not 0. */
export class BookWatch {
  readonly #options: BookWatchOptions;
  readonly #name: string;
  #target: ProbeTarget;
  #content: string | null;
  /** The last one that could be read: the next is compared with it. */
  #readable: PriceBook | null;
  /** That which is in force; null where it cannot be read. */
  #book: PriceBook | null = null;
  #listed: readonly string[] | null = null;

  constructor(options: BookWatchOptions) {
    const { target, metrics, earlier } = options;
    this.#options = options;
    this.#name = target.name;
    this.#target = target;
    this.#content = earlier.content;
    this.#readable = earlier.book;
    metrics.precreate(
      'weighbridge_pricebook_changes_total',
      BOOK_CHANGES.map((change) => ({ target: target.name, change })),
    );
    if (earlier.changed_ms !== null) this.#time(TIMES[1], earlier.changed_ms);
  }

  read(bytes: Uint8Array, atMs: number): BookSeen {
    const { metrics, reader } = this.#options;
    const reading = readPriceBook(bytes, reader);
    const content = servedContent(reading);
    const changed = this.#content !== null && this.#content !== content;
    const first = this.#content === null;
    this.#content = content;
    if (changed) this.#time(TIMES[1], atMs);
    if ('unreadable' in reading) {
      if (changed || first) this.#count('unparsed');
      this.#book = null;
      this.#show(atMs);
      return { differences: [], unreadable: reading.unreadable };
    }
    const { book } = reading;
    const differences = this.#readable === null ? [] : bookChanges(this.#readable, book);
    for (const { change } of differences) this.#count(change);
    this.#readable = book;
    this.#book = book;
    this.#show(atMs);
    this.#time(TIMES[0], atMs);
    metrics.set('weighbridge_pricebook_info', { target: this.#name, version: book.pricing_version }, 1);
    return { differences, unreadable: [] };
  }

  /** The ids of a model list that was read; that of the key, where there is one. */
  listed(ids: readonly string[]): void {
    this.#listed = ids;
    this.#states();
  }

  /** Other watched models and variants: their prices are those of the book in hand. */
  replace(target: ProbeTarget, nowMs: number): void {
    this.#target = target;
    this.#prices(nowMs);
  }

  close(): void {
    const { metrics } = this.#options;
    this.#book = null;
    this.#show(0);
    for (const name of TIMES) metrics.remove(name, { target: this.#name });
    metrics.remove('weighbridge_pricebook_changes_total', { target: this.#name });
  }

  #show(atMs: number): void {
    const { metrics } = this.#options;
    metrics.remove('weighbridge_pricebook_info', { target: this.#name });
    this.#prices(atMs);
    this.#states();
  }

  #prices(atMs: number): void {
    const { metrics, group } = this.#options;
    const moment = { at_s: Math.floor(atMs / 1000), group };
    showPrices(
      metrics,
      this.#name,
      this.#book === null ? [] : listedPrices(this.#book, this.#target, moment),
    );
  }

  /** Nothing is known of them without both the book and a list. */
  #states(): void {
    const { metrics } = this.#options;
    const [book, listed] = [this.#book, this.#listed];
    if (book === null || listed === null) {
      metrics.remove('weighbridge_pricebook_models', { target: this.#name });
      return;
    }
    const priced = listed.filter((model) => entriesOf(book, model).length > 0).length;
    const ids = new Set(listed);
    const named = book.models.filter(({ match }) => match.kind === 'exact').map(({ model }) => model);
    const orphan = new Set(named.filter((model) => !ids.has(model))).size;
    const counts = { priced, unpriced: listed.length - priced, orphan };
    for (const state of BOOK_STATES)
      metrics.set('weighbridge_pricebook_models', { target: this.#name, state }, counts[state]);
  }

  #count(change: (typeof BOOK_CHANGES)[number]): void {
    this.#options.metrics.inc('weighbridge_pricebook_changes_total', { target: this.#name, change });
  }

  #time(name: (typeof TIMES)[number], atMs: number): void {
    this.#options.metrics.set(name, { target: this.#name }, atMs / 1000);
  }
}

import { readFileSync } from 'node:fs';
import type { ReadOk, ReadResult } from '../../client/read-result.ts';
import type { ResolvedBilling } from '../../config/resolve-billing.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import { applyAgreed } from '../../pricebook/charge/apply-agreed.ts';
import { readMapping } from '../../pricebook/read/mapping-file.ts';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import type { ProbeClock } from '../schedule/probe-clock.ts';

export interface BookRead {
  readonly book: PriceBook | null;
  readonly problems: readonly string[];
}

/** How long a book is relied on: a call is settled by what it was reserved by, though prices rise meanwhile. */
const STALE_MS = 300_000;
/** How often one that cannot be had is asked for. */
const RETRY_MS = 30_000;

/** The price book that paid probes of a target are reserved and priced by: the last one that could be read. */
export class TargetBook {
  /** Whose factors hold for us. */
  readonly group: string | null;
  readonly #billing: ResolvedBilling;
  readonly #clock: ProbeClock;
  readonly #fetch: () => Promise<ReadResult<string>>;
  #book: PriceBook | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #pending: Promise<void> | null = null;

  constructor(billing: ResolvedBilling, clock: ProbeClock, fetch: () => Promise<ReadResult<string>>) {
    this.group = billing.terms.group;
    this.#billing = billing;
    this.#clock = clock;
    this.#fetch = fetch;
  }

  /** Takes a book as served, unless it cannot be read: prices that were known are better than none. */
  take(answer: ReadOk<string>): BookRead {
    const read = this.#parse(answer.bytes);
    if (read.book !== null) {
      this.#book = read.book;
      this.#readAt = this.#clock.mono_ms();
    }
    return read;
  }

  /** Null: nothing can be priced, so nothing paid can run. Read here where no probe has done it in time. */
  async inForce(): Promise<PriceBook | null> {
    const now = this.#clock.mono_ms();
    if (now - this.#readAt > STALE_MS && now - this.#triedAt > RETRY_MS) {
      this.#triedAt = now;
      this.#pending = this.#read();
    }
    await this.#pending;
    return this.#book;
  }

  async #read(): Promise<void> {
    const answer = await this.#fetch();
    if (answer.ok) this.take(answer);
  }

  #parse(served: Uint8Array): BookRead {
    const { book: source, terms } = this.#billing;
    try {
      const mapping =
        source.mapping === null ? null : readMapping(readFileSync(source.mapping, 'utf8'), source.mapping);
      const bytes = source.file === null ? served : readFileSync(source.file);
      const reading = readPriceBook(bytes, { adapter: source.adapter, mapping });
      if ('unreadable' in reading) return { book: null, problems: reading.unreadable };
      return { book: applyAgreed(reading.book, terms.agreed, terms.group), problems: [] };
    } catch (error) {
      // A file of the user's that is gone: said like a book that cannot be read.
      return { book: null, problems: [error instanceof Error ? error.message : String(error)] };
    }
  }
}

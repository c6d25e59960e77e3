import type { GatewayClient } from '../../client/gateway-client.ts';
import type { ReadFailure, ReadOk, ReadResult } from '../../client/read-result.ts';
import { cursorFault, cursorName } from '../../client/usage-cursor.ts';
import type { UsagePageFrame } from '../../client/wire-schemas.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import { formatInstant, SECONDS_PER_DAY } from '../../core/time.ts';
import { type ArchiveStretch, BookArchive } from '../../pricebook/archive/archive-index.ts';
import type { BookOptions } from '../../pricebook/read/adapt-book.ts';
import { readPriceBook, servedContent } from '../../pricebook/read/read-price-book.ts';
import { ArchivedDocuments } from '../../probe/watch/archived-documents.ts';
import { type BookDifference, bookChanges } from '../../probe/watch/book-changes.ts';
import { modelDifferences } from '../../probe/watch/model-watch.ts';
import { RecordHistory } from '../../probe/watch/record-history.ts';
import { watchedRecords } from '../../probe/watch/records-watch.ts';

interface PulledPages {
  readonly pages: readonly ReadOk<UsagePageFrame>[];
  /** Null where the last page was reached. */
  readonly problem: string | null;
}

/** Asked for first; left to the gateway where it refuses that. */
const LIMIT = 1000;
/** A gateway whose pages have no end is not read for ever. */
const MOST_PAGES = 2_000;

/** All pages of the request records of a window. */
export async function pullPages(
  client: Pick<GatewayClient, 'usageRequests'>,
  window: UsageWindow,
): Promise<PulledPages> {
  const pages: ReadOk<UsagePageFrame>[] = [];
  const cursors = new Set<string>();
  let limit: number | null = LIMIT;
  for (let before: string | null = null; pages.length < MOST_PAGES; ) {
    const page: ReadOk<UsagePageFrame> | ReadFailure = await client.usageRequests({ window, limit, before });
    if (!page.ok) {
      if (page.status !== 400 || limit === null || pages.length > 0) return { pages, problem: page.message };
      limit = null;
      continue;
    }
    pages.push(page);
    const next: string | null = page.body.has_more ? (page.body.next_cursor ?? '') : null;
    if (next === null) return { pages, problem: null };
    const fault = cursorFault(next);
    if (fault !== null) return { pages, problem: fault };
    if (next === '' || cursors.has(cursorName(next)))
      return { pages, problem: 'more pages are announced, without a cursor to them' };
    cursors.add(cursorName(next));
    before = next;
  }
  return { pages, problem: `there are more than ${MOST_PAGES} pages` };
}

export interface PullRequest {
  readonly client: GatewayClient;
  readonly archive_dir: string;
  readonly credentials: {
    /** Fingerprint of the API key; null without one. */
    readonly key_fp: string | null;
    readonly account: boolean;
  };
  readonly reader: BookOptions;
  readonly now_ms: () => number;
}

/** What became of one document. */
export interface PulledDocument {
  readonly document: 'models' | 'pricebook' | 'totals' | 'records' | 'account';
  /** A credential or a window; null where there is one only. */
  readonly part: string | null;
  /** Why it was not read, or not in full; null where it was. */
  readonly problem: string | null;
  /** What stands in it, and what is other than the archive had it. */
  readonly lines: readonly string[];
}

const WINDOWS = { '1h': 3600, '1d': SECONDS_PER_DAY, '30d': 30 * SECONDS_PER_DAY } as const;

/** Reads every free document of a target once and stores it as served. Throws `archive_corrupt` (exit 2). */
export async function pullTarget(request: PullRequest): Promise<readonly PulledDocument[]> {
  const earlier = new ArchivedDocuments(request.archive_dir);
  const archive = new BookArchive(request.archive_dir);
  try {
    return await new Pull(request, earlier, archive).run();
  } finally {
    archive.close();
  }
}

class Pull {
  readonly #request: PullRequest;
  readonly #earlier: ArchivedDocuments;
  readonly #archive: BookArchive;

  constructor(request: PullRequest, earlier: ArchivedDocuments, archive: BookArchive) {
    this.#request = request;
    this.#earlier = earlier;
    this.#archive = archive;
  }

  async run(): Promise<readonly PulledDocument[]> {
    const { key_fp, account } = this.#request.credentials;
    const done = [await this.#book()];
    // Other families show no list without a key.
    if (this.#request.client.dialect === 'interface' || key_fp === null)
      done.push(await this.#models('none'));
    if (key_fp !== null) {
      done.push(await this.#models('key'));
      // The second under way is inside.
      const end = Math.floor(this.#request.now_ms() / 1000) + 1;
      for (const [name, seconds] of Object.entries(WINDOWS))
        done.push(await this.#totals(name, { start: end - seconds, end }));
      done.push(await this.#records({ start: end - WINDOWS['30d'], end }));
    }
    if (account) done.push(await this.#account());
    return done;
  }

  async #book(): Promise<PulledDocument> {
    const { client, reader } = this.#request;
    const before = this.#earlier.book(reader);
    return this.#take('pricebook', null, await client.priceBook(), ({ bytes }) => {
      const reading = readPriceBook(bytes, reader);
      if ('unreadable' in reading) return [`cannot be read: ${reading.unreadable.join('; ')}`];
      const { pricing_version, models } = reading.book;
      const what = `version ${pricing_version}, ${models.length} price entries`;
      if (before.content === null) return [`${what}, the first that was archived`];
      if (before.content === servedContent(reading)) return [`${what}, unchanged`];
      const changes = before.book === null ? [] : bookChanges(before.book, reading.book);
      return [`${what}, changed`, ...changes.map(changeText)];
    });
  }

  async #models(credential: 'none' | 'key'): Promise<PulledDocument> {
    const before = this.#earlier.models().get(credential) ?? null;
    return this.#take(
      'models',
      credential,
      await this.#request.client.models(credential === 'key'),
      ({ body }) => {
        const ids = body.data.map(({ id }) => id);
        if (before === null) return [`${ids.length} models, the first list that was archived`];
        const { added, removed } = modelDifferences(before, ids);
        const changed = [...added.map((id) => `added ${id}`), ...removed.map((id) => `removed ${id}`)];
        return [`${ids.length} models, ${changed.length === 0 ? 'unchanged' : 'changed'}`, ...changed];
      },
    );
  }

  async #totals(name: string, window: UsageWindow): Promise<PulledDocument> {
    return this.#take('totals', name, await this.#request.client.usageTotals({ window }), ({ body }) => [
      this.#request.client.totals === 'counts'
        ? `${String(body['records'])} records`
        : `settled ${String(body['settled_amount'])} ${String(body['currency'] ?? 'USD')}, ${String(body['records'])} records`,
    ]);
  }

  async #records(window: UsageWindow): Promise<PulledDocument> {
    const { client, now_ms } = this.#request;
    const history = new RecordHistory();
    for (const { page, at_ms } of this.#earlier.pages()) history.remember(watchedRecords(page, at_ms));
    const { pages, problem } = await pullPages(client, window);
    const at_ms = now_ms();
    const records = pages.flatMap(({ body }) => watchedRecords(body, at_ms));
    const { news, counts } = await history.read(records, window, false);
    pages.forEach((page, index) => {
      if (watchedRecords(page.body, at_ms).some(({ key }) => news.has(key)))
        this.#keep('records', `30d/${index + 1}`, page);
    });
    const line = `records: ${records.length}, new or other than before: ${news.size}, pages: ${pages.length}`;
    const changed = counts.changed === 0 ? [] : [`${counts.changed} have changed after they were settled`];
    return { document: 'records', part: '30d', problem, lines: [line, ...changed] };
  }

  async #account(): Promise<PulledDocument> {
    return this.#take('account', null, await this.#request.client.account(), ({ body }) => [
      `${body.quota} units left, ${body.used_quota} used, ${body.request_count} requests`,
    ]);
  }

  #take<T>(
    document: PulledDocument['document'],
    part: string | null,
    result: ReadResult<T>,
    lines: (answer: ReadOk<T>) => readonly string[],
  ): PulledDocument {
    if (!result.ok && result.code === 'not_offered')
      return { document, part, problem: null, lines: [`not there: ${result.message}`] };
    if (!result.ok) return { document, part, problem: result.message, lines: [] };
    this.#keep(document, part, result);
    return { document, part, problem: null, lines: lines(result) };
  }

  #keep(
    document: PulledDocument['document'],
    part: string | null,
    { bytes, sha256, masked }: ReadOk<unknown>,
  ): void {
    const what: ArchiveStretch['what'] = document === 'pricebook' ? 'book' : document;
    const at = formatInstant(this.#request.now_ms());
    const withoutKey = document === 'pricebook' || document === 'account' || part === 'none';
    const key_fp = withoutKey ? null : this.#request.credentials.key_fp;
    this.#archive.see({
      what,
      ...(part === null ? {} : { part }),
      key_fp,
      sha256,
      masked,
      at,
      content: bytes,
    });
  }
}

function changeText({ change, model, line, from, to }: BookDifference): string {
  const prices = from === null && to === null ? '' : ` ${from ?? 'none'} -> ${to ?? 'none'}`;
  return [change, model ?? 'all models', line].filter((part) => part !== '').join(' ') + prices;
}

import type { GatewayClient, UsagePageQuery, UsageQuery } from '../client/gateway-client.ts';
import type { ReadFailure, ReadResult } from '../client/read-result.ts';
import type { UsagePageFrame } from '../client/wire-schemas.ts';
import type { PageSize } from './page-size.ts';
import type { ReadNote, ReadRecord, UsageStore } from './usage-store.ts';

/** One pass over the pages of a window, newest first as served. */
export interface PageWalk {
  readonly records: readonly ReadRecord[];
  /** Records that an earlier page had served with the same content: overlapping pages, or two equal records. */
  readonly repeats: readonly ReadRecord[];
  /** The last page was reached and no hazard met. */
  readonly complete: boolean;
  readonly pages: number;
  readonly reasons: readonly string[];
  /** What broke the walk, where it was a read. */
  readonly failure: ReadFailure | null;
}

const MAX_PAGES = 100_000;

/**
 * Reads every page of a window with window and filters fixed (interface §4). A cursor that comes twice, a page
 * without records or without anything new that claims more, or a missing cursor ends the walk as incomplete: a
 * reader that went on would loop or skip.
 */
export async function walkPages(
  client: GatewayClient,
  store: UsageStore,
  query: UsageQuery,
  size: PageSize,
  read: 'records' | 'request',
): Promise<PageWalk> {
  const records: ReadRecord[] = [];
  const repeats: ReadRecord[] = [];
  const reasons: string[] = [];
  const seen = new Set<string>();
  const cursors = new Set<string>();
  const where = `${query.window.start}–${query.window.end}`;
  let cursor: string | null = null;

  for (let pages = 1; ; pages += 1) {
    const result: ReadResult<UsagePageFrame> = await readPage(client, query, size, cursor);
    const readAt = store.instant();
    const note = { read, window: query.window, request_id: query.requestId ?? null, cursor } as const;
    if (!result.ok) {
      const reason = `read_failed: ${where}: ${describeFailure(result)}`;
      store.read({ ...note, status: result.status, reasons: [reason] }, readAt);
      return { records, repeats, complete: false, pages, reasons: [...reasons, reason], failure: result };
    }
    const page = result.body;
    const contents = page.data.map(contentOf);
    // Equal records on one page are two records: only a later page can repeat by overlap.
    const repeated = contents.map((content) => seen.has(content));
    for (const content of contents) seen.add(content);
    page.data.forEach((record, index) => {
      (repeated[index] === true ? repeats : records).push({ record, readAt });
    });
    const overlap = repeated.filter(Boolean).length;
    const next = page.next_cursor ?? '';
    const hazard = hazardOf(page, next, page.data.length - overlap, cursors, pages);
    const pageReasons = [...oddities(page, query, overlap, result.numbersAsText)];
    if (hazard !== null) pageReasons.push(`${hazard}: ${where}, page ${pages}`);
    reasons.push(...pageReasons);
    store.read(pageNote(note, result.status, result.sha256, page, next, pageReasons), readAt);
    if (hazard !== null || !page.has_more) {
      return { records, repeats, complete: hazard === null, pages, reasons, failure: null };
    }
    cursors.add(next);
    cursor = next;
  }
}

/** Why the walk must stop although the page claims more, or null. */
function hazardOf(
  page: UsagePageFrame,
  next: string,
  fresh: number,
  cursors: ReadonlySet<string>,
  pages: number,
): string | null {
  if (!page.has_more) return null;
  if (page.data.length === 0) return 'empty_page_with_more';
  if (next === '') return 'cursor_missing';
  if (cursors.has(next)) return 'cursor_repeated';
  if (fresh === 0) return 'page_repeated';
  return pages >= MAX_PAGES ? 'page_limit' : null;
}

function* oddities(
  page: UsagePageFrame,
  query: UsageQuery,
  repeated: number,
  asText: number,
): Generator<string> {
  const { start, end } = query.window;
  if (repeated > 0) yield `repeated_records: ${repeated} of the page were served on an earlier page`;
  if (asText > 0)
    yield `numbers_as_text: ${asText} numbers are kept as text because a double cannot hold them`;
  const served = [page.start_time, page.end_time];
  if (served.some((time, index) => time !== undefined && time !== [start, end][index])) {
    yield `window_differs: asked ${start}–${end}, served ${String(served[0])}–${String(served[1])}`;
  }
}

async function readPage(
  client: GatewayClient,
  query: UsageQuery,
  size: PageSize,
  before: string | null,
): Promise<ReadResult<UsagePageFrame>> {
  const page: UsagePageQuery = { ...query, limit: size.limit, before };
  const result = await client.usageRequests(page);
  if (result.ok || before !== null || !size.refuse(result)) return result;
  return client.usageRequests({ ...page, limit: size.limit });
}

function pageNote(
  note: ReadNote,
  status: number,
  sha256: string,
  page: UsagePageFrame,
  next: string,
  reasons: readonly string[],
): ReadNote {
  const next_cursor = next === '' ? null : next;
  return { ...note, next_cursor, has_more: page.has_more, count: page.data.length, status, sha256, reasons };
}

function contentOf(record: unknown): string {
  return JSON.stringify(record) ?? '';
}

/** One line without secrets. */
export function describeFailure(failure: ReadFailure): string {
  const status = failure.status === null ? 'no answer' : `HTTP ${failure.status}`;
  return `${status} ${failure.code ?? failure.errorType}: ${failure.message}`;
}

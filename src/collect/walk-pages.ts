import type { UsagePageQuery, UsageQuery } from '../client/dialects/bill-reader.ts';
import type { ReadFailure, ReadOk, ReadResult } from '../client/read-result.ts';
import { cursorFault, cursorName } from '../client/usage-cursor.ts';
import type { UsagePageFrame } from '../client/wire-schemas.ts';
import type {
  ReadHazard,
  ReadOddity,
  ReadOddityKind,
  ReadPurpose,
  UsageWindow,
} from '../contracts/usage-lines.ts';
import { ContentDigest, type ContentHash, contentHash } from './content-digest.ts';
import { type GlancedRecord, glance, pageOddities } from './page-oddities.ts';
import { RecentHashes } from './recent-hashes.ts';
import type { SweepContext } from './sweep-context.ts';

/** The records of one page, as JSON texts. */
interface PageRecords {
  readonly readAt: string;
  readonly currency: string | null;
  readonly page: number;
  readonly fresh: readonly string[];
  /** Served on an earlier page with the same content: overlapping pages, or two equal records. */
  readonly repeats: readonly string[];
}

export interface WalkRequest {
  readonly query: UsageQuery;
  readonly read: 'records' | 'request';
  readonly purpose: ReadPurpose;
  readonly pass?: number | undefined;
  /** Page size of the first page alone, and of every page; the learnt one when left out. */
  readonly firstLimit?: number | undefined;
  readonly limit?: number | undefined;
  /** Pages after which the walk ends as if it had been the last; a probe needs no more. */
  readonly mostPages?: number | undefined;
  /** Takes each page as it is read; without it the records are only looked at. */
  readonly sink?: ((page: PageRecords) => void) | undefined;
  /** Sees each record, and tells at the end of a whole walk what is odd about all of them. */
  readonly check?: WalkCheck | undefined;
}

export interface WalkCheck {
  see(record: GlancedRecord): void;
  verdict(): ReadOddity | null;
}

/** One pass over the pages of a window, in the order served. */
export interface PageWalk {
  /** Records, those served twice counted once. */
  readonly records: number;
  readonly repeats: number;
  /** What was served, as it can be compared with another walk. */
  readonly digest: string;
  readonly repeatDigest: string;
  /** The last page was reached and no hazard met. */
  readonly complete: boolean;
  readonly pages: number;
  readonly reasons: readonly string[];
  readonly oddities: ReadonlySet<ReadOddityKind>;
  /** What broke the walk, where it was a read. */
  readonly failure: ReadFailure | null;
  /** Ids of the answers, at most 50. */
  readonly answers: readonly string[];
  /** Records that probes can ask for again: the first one served and one of each model, at most 20. */
  readonly samples: readonly GlancedRecord[];
  /** Records of the first second of the window, and of its last one. */
  readonly atStart: number;
  readonly atLast: number;
}

const MAX_PAGES = 100_000;
const MOST_ANSWERS = 50;
const MOST_SAMPLES = 20;
/** It stands in every line of its page. */
export const LONGEST_CURRENCY = 64;
const MIDNIGHT_S = 86_400;

const HAZARD_OF: Readonly<Partial<Record<ReadOddityKind, ReadHazard>>> = {
  cursor_repeated: 'endless_pages',
  cursor_missing: 'endless_pages',
  cursor_too_long: 'endless_pages',
  empty_page_with_more: 'endless_pages',
  page_repeated: 'endless_pages',
  page_limit: 'endless_pages',
  promised_nothing: 'endless_pages',
  records_repeated: 'edge_ties',
  stray_model: 'lost_filter',
  stray_request_id: 'lost_filter',
  window_differs: 'moving_end',
};

/**
 * Reads every page of a window with window and filters fixed (interface §4). A cursor that comes twice, a page
 * without records or without anything new that claims more, a missing cursor or one that is too long ends the walk as
 * incomplete: a reader that went on would loop or skip. Holds one page at a time.
 */
export async function walkPages(context: SweepContext, request: WalkRequest): Promise<PageWalk> {
  const { store, hazards } = context;
  const { query } = request;
  const walk = new WalkUnderWay(query.window);
  const where = `${query.window.start}–${query.window.end}`;
  let cursor: string | null = null;
  for (let number = 1; ; number += 1) {
    const asked: UsagePageQuery = {
      ...query,
      limit: request.limit ?? context.state.size.limit,
      before: cursor,
    };
    const limit = number === 1 ? (request.firstLimit ?? asked.limit) : asked.limit;
    const result: ReadResult<UsagePageFrame> = await readPage(context, { ...asked, limit });
    const readAt = store.instant();
    const note = {
      read: request.read,
      window: query.window,
      request_id: query.requestId ?? null,
      model: query.model ?? null,
      cursor: cursor === null ? null : cursorName(cursor),
      purpose: request.purpose,
      pass: request.pass ?? null,
      page: number,
      status: result.status,
      answer_request_id: result.requestId,
    } as const;
    walk.answered(result.requestId);
    if (!result.ok) {
      const reason = `read_failed: ${where}: ${describeFailure(result)}`;
      store.read({ ...note, reasons: [reason] }, readAt);
      return walk.ended(false, number, [reason], result);
    }
    const page = result.body;
    const taken = walk.take(page);
    const next = page.next_cursor ?? '';
    const currency = currencyOf(page);
    request.sink?.({ readAt, currency, page: number, fresh: taken.fresh, repeats: taken.repeats });
    const stop = stopOf(page, next, taken.fresh.length, walk.cursors, number);
    const oddities = [...pageOddities(page, taken.glances, asked)];
    if (taken.repeats.length > 0) oddities.push(repeatsOddity(taken.repeats.length));
    if (stop !== null) oddities.push(stopOddity(stop, `${where}, page ${number}`, next));
    if (number > 1 && page.data.length === 0 && !page.has_more) oddities.push(promiseOddity(where, number));
    for (const one of taken.glances) request.check?.see(one);
    const verdict = page.has_more ? null : (request.check?.verdict() ?? null);
    if (verdict !== null) oddities.push(verdict);
    for (const { kind } of oddities) {
      const hazard = HAZARD_OF[kind];
      if (hazard !== undefined) hazards.met(hazard, result.requestId);
    }
    const reasons = walk.oddities(oddities, result.numbersAsText);
    store.read(
      {
        ...note,
        next_cursor: next === '' ? null : cursorName(next),
        has_more: page.has_more,
        count: page.data.length,
        sha256: result.sha256,
        currency,
        newest: taken.newest,
        oldest: taken.oldest,
        oddities,
        reasons: [...reasons, ...maskedWords(result)],
      },
      readAt,
    );
    if (stop !== null) return walk.ended(false, number, [], null);
    if (!page.has_more || number === request.mostPages) return walk.ended(true, number, [], null);
    if (limit !== null && page.data.length < limit) hazards.met('page_size', result.requestId);
    walk.cursors.add(cursorName(next));
    cursor = next;
  }
}

interface TakenPage {
  readonly fresh: readonly string[];
  readonly repeats: readonly string[];
  readonly glances: readonly GlancedRecord[];
  readonly newest: number | null;
  readonly oldest: number | null;
}

class WalkUnderWay {
  readonly cursors = new Set<string>();
  readonly #seen = new RecentHashes();
  readonly #served = new ContentDigest();
  readonly #repeats = new ContentDigest();
  readonly #reasons: string[] = [];
  readonly #kinds = new Set<ReadOddityKind>();
  readonly #answers: string[] = [];
  readonly #samples = new Map<string, GlancedRecord>();
  readonly #window: UsageWindow;
  #atStart = 0;
  #atLast = 0;

  constructor(window: UsageWindow) {
    this.#window = window;
  }

  answered(id: string | null): void {
    if (id !== null && this.#answers.length < MOST_ANSWERS) this.#answers.push(id);
  }

  take(page: UsagePageFrame): TakenPage {
    const fresh: string[] = [];
    const repeats: string[] = [];
    const own = new Map<string, ContentHash>();
    const glances = page.data.map(glance);
    page.data.forEach((record, index) => {
      const text = JSON.stringify(record) ?? 'null';
      const content = contentHash(text);
      const { created_at = null, id = null } = glances[index] ?? {};
      // One id is one record, however often a page lists it; rows without an id cannot be told to be one.
      const key = content.join();
      if (own.has(key) && id !== null && id !== '') return;
      own.set(key, content);
      if (this.#seen.has(content)) {
        repeats.push(text);
        this.#repeats.add(content);
      } else {
        fresh.push(text);
        this.#served.add(content);
        if (created_at === this.#window.start) this.#atStart += 1;
        if (created_at === this.#window.end - 1) this.#atLast += 1;
      }
    });
    for (const content of own.values()) this.#seen.add(content);
    for (const one of glances) this.#sample(one);
    const seconds = glances.flatMap(({ created_at: second }) => (second === null ? [] : [second]));
    const newest = seconds.length === 0 ? null : seconds.reduce((most, one) => Math.max(most, one));
    const oldest = seconds.length === 0 ? null : seconds.reduce((least, one) => Math.min(least, one));
    return { fresh, repeats, glances, newest, oldest };
  }

  /** What of it stands among the reasons of the sweep. */
  oddities(oddities: readonly ReadOddity[], asText: number): readonly string[] {
    for (const { kind } of oddities) this.#kinds.add(kind);
    const reasons = oddities.map(({ text }) => text);
    if (asText > 0)
      reasons.push(`numbers_as_text: ${asText} numbers are kept as text because a double cannot hold them`);
    this.#reasons.push(...reasons);
    return reasons;
  }

  ended(complete: boolean, pages: number, reasons: readonly string[], failure: ReadFailure | null): PageWalk {
    return {
      records: this.#served.count,
      repeats: this.#repeats.count,
      digest: this.#served.text(),
      repeatDigest: this.#repeats.text(),
      complete,
      pages,
      reasons: [...this.#reasons, ...reasons],
      oddities: this.#kinds,
      failure,
      answers: this.#answers,
      samples: [...this.#samples.values()],
      atStart: this.#atStart,
      atLast: this.#atLast,
    };
  }

  #sample(record: GlancedRecord): void {
    const { id, model, created_at: second } = record;
    if (id === null || second === null) return;
    // Only there an edge at midnight alone shows.
    const name = second % MIDNIGHT_S === 0 ? 'at midnight' : `model ${model}`;
    if (this.#samples.size < MOST_SAMPLES && !this.#samples.has(name)) this.#samples.set(name, record);
  }
}

/** Null where the page tells none; what is no text cannot be USD. */
function currencyOf({ currency }: UsagePageFrame): string | null {
  if (currency === undefined || currency === null) return null;
  return (typeof currency === 'string' ? currency : JSON.stringify(currency)).slice(0, LONGEST_CURRENCY);
}

/** Why the walk must stop although the page claims more, or null. */
function stopOf(
  page: UsagePageFrame,
  next: string,
  fresh: number,
  cursors: ReadonlySet<string>,
  pages: number,
): ReadOddityKind | null {
  if (!page.has_more) return null;
  if (page.data.length === 0) return 'empty_page_with_more';
  if (next === '') return 'cursor_missing';
  if (cursorFault(next) !== null) return 'cursor_too_long';
  if (cursors.has(cursorName(next))) return 'cursor_repeated';
  if (fresh === 0) return 'page_repeated';
  return pages >= MAX_PAGES ? 'page_limit' : null;
}

function stopOddity(kind: ReadOddityKind, where: string, next: string): ReadOddity {
  const fault = kind === 'cursor_too_long' ? `: ${cursorFault(next)}` : '';
  return { kind, count: 1, text: `${kind}: ${where}${fault}` };
}

function repeatsOddity(count: number): ReadOddity {
  const text = `repeated_records: ${count} of the page were served on an earlier page`;
  return { kind: 'records_repeated', count, text };
}

function promiseOddity(where: string, page: number): ReadOddity {
  const text = `promised_nothing: ${where}, page ${page} is empty, the page before promised more`;
  return { kind: 'promised_nothing', count: 1, text };
}

async function readPage(
  { client, state, hazards }: SweepContext,
  page: UsagePageQuery,
): Promise<ReadResult<UsagePageFrame>> {
  for (let asked = page; ; asked = { ...page, limit: state.size.limit }) {
    const result = await state.budget.ask(
      () => client.usageRequests(asked),
      (id) => hazards.met('rate_limit', id),
    );
    if (result.ok) return result;
    if (page.before !== null || asked.limit !== state.size.limit || !state.size.refuse(result)) return result;
    hazards.met('page_size', result.requestId);
  }
}

/** Told where an answer stands in our files, which is not quite what was served. */
export function maskedWords({ masked }: Pick<ReadOk<unknown>, 'masked'>): readonly string[] {
  return masked === true
    ? ['credential_masked: the answer repeated a credential of ours; it is kept and hashed without it']
    : [];
}

/** One line without secrets. */
export function describeFailure(failure: ReadFailure): string {
  const status = failure.status === null ? 'no answer' : `HTTP ${failure.status}`;
  return `${status} ${failure.code ?? failure.errorType}: ${failure.message}`;
}

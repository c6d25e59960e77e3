import { z } from 'zod';
import { parseObject } from '../../wire/json-fields.ts';
import type { ReadFailure, ReadOk, ReadResult } from '../read-result.ts';
import type { UsagePageFrame } from '../wire-schemas.ts';
import {
  type BillReader,
  type FreeReads,
  notOffered,
  translated,
  type UsagePageQuery,
  type UsageQuery,
  unlike,
} from './bill-reader.ts';
import { readAccount } from './interface.ts';
import {
  asRecords,
  CHARGE_TYPE,
  type FamilyRow,
  familyRow,
  PICO_PER_DOLLAR,
  REFUND_TYPE,
} from './new-api-rows.ts';

/** More rows a page are cut without a word. */
const MOST_PER_PAGE = 100;
/** `GET /api/log/token` ends after so many rows, the newest first. */
const TOKEN_ROWS = 1_000;
const pageSchema = z.looseObject({
  success: z.literal(true),
  data: z.looseObject({ items: z.array(familyRow).nullable(), total: z.int() }),
});
const tokenLogSchema = z.looseObject({ success: z.literal(true), data: z.array(familyRow).nullable() });
const named = z.looseObject({ name: z.string() });
/** Some of the family wrap it. */
const ownKeySchema = z.union([named, z.looseObject({ data: named }).transform(({ data }) => data)]);
const statusSchema = z.looseObject({ data: z.looseObject({ quota_per_unit: z.number().positive() }) });

/** The answer of `GET /api/status`, by which the family is known: how many units of quota are a dollar. */
export function readStatus(reads: FreeReads): Promise<ReadResult<number>> {
  const unit = statusSchema.transform(({ data }) => data.quota_per_unit);
  return reads.json(`${reads.bases.root}/api/status`, 'none', unit);
}

/**
 * new-api and its family. The log of the account (`/api/log/self`) is read by pages, and rows of its other keys are left out;
 * with an API key alone that of the key (`/api/log/token`), which holds 1,000 rows. A refund is a row of its own that names its task: it becomes a record with a
 * negative amount, whose request id is the task's. The family has no totals: the log's own count of rows stands for them.
 */
export function newApiReader(): BillReader {
  const dollars = new Dollars();
  const ownKey = new OwnKey();
  let counted: { readonly window: string; readonly records: number } | null = null;

  return {
    name: 'new-api',
    paths: { book: 'GET /api/pricing', records: 'GET /api/log/self', account: 'GET /api/user/self' },
    totals: 'counts',
    async priceBook(reads) {
      const unit = await dollars.read(reads);
      if (!unit.ok) return unit;
      const served = await reads.text(`${reads.bases.root}/api/pricing`, 'none');
      return served.ok ? withUnit(served, unit.body) : served;
    },
    async usageTotals(reads, query) {
      if (!reads.hasAccount)
        return counted?.window === nameOf(query)
          ? countOnly(counted.records)
          : notOffered('the log of a key has no count of its own');
      const key = await ownKey.read(reads);
      if ('ok' in key) return key;
      const own = { ...query, key };
      const charges = await ownCount(reads, own, CHARGE_TYPE);
      if (!charges.ok) return charges;
      const refunds = await ownCount(reads, own, REFUND_TYPE);
      if (!refunds.ok) return refunds;
      const records = charges.body + refunds.body;
      // The filter takes parts of names, too.
      return translated(charges, query.model === undefined ? { records } : {});
    },
    async usageRequests(reads, query) {
      const unit = await dollars.read(reads);
      if (!unit.ok) return unit;
      if (reads.hasAccount) {
        const key = await ownKey.read(reads);
        return 'ok' in key ? key : readLog(reads, { ...query, key }, unit.body);
      }
      const frame = await readTokenLog(reads, query, unit.body);
      counted = frame.ok ? { window: nameOf(query), records: frame.body.data.length } : null;
      return frame;
    },
    account: readAccount,
  };
}

function nameOf({ window, model, requestId }: UsageQuery): string {
  return JSON.stringify([window.start, window.end, model ?? null, requestId ?? null]);
}

function countOnly(records: number): ReadOk<Readonly<Record<string, unknown>>> {
  const none = { ok: true, status: 200, body: null, numbersAsText: 0, requestId: null } as const;
  return translated({ ...none, bytes: new Uint8Array(), sha256: '' }, { records });
}

/** Units of quota as dollars. Read once: an operator who changes it changes every amount there ever was. */
class Dollars {
  #unit: ReadOk<bigint> | null = null;

  async read(reads: FreeReads): Promise<ReadOk<bigint> | ReadFailure> {
    if (this.#unit !== null) return this.#unit;
    const status = await readStatus(reads);
    if (!status.ok) return status;
    const unit = BigInt(Number.isSafeInteger(status.body) ? status.body : 0);
    if (unit === 0n || PICO_PER_DOLLAR % unit !== 0n)
      return unlike(status, `quota_per_unit: ${status.body} units a dollar make no exact amounts`);
    this.#unit = { ...status, body: unit };
    return this.#unit;
  }
}

/** Our key, as the rows of the account's log name it; no name without a key, which asks for all rows. */
interface NamedKey {
  readonly name: string | null;
  /** Of the rows seen under the name: names need not be unique. */
  readonly ids: Set<number>;
  /** The filter, which takes parts of names, let rows of other keys through. */
  hasOthers: boolean;
}

type OfKey<Query> = Query & { readonly key: NamedKey };

/** `GET /api/usage/token` tells the name of our key. */
class OwnKey {
  #key: NamedKey | null = null;

  async read(reads: FreeReads): Promise<NamedKey | ReadFailure> {
    if (this.#key !== null) return this.#key;
    let name: string | null = null;
    if (reads.keyHash !== null) {
      const read = await reads.json(`${reads.bases.api}/usage/token`, 'key', ownKeySchema);
      if (!read.ok) return read;
      name = read.body.name;
    }
    this.#key = { name, ids: new Set(), hasOthers: false };
    return this.#key;
  }
}

/** The price list has no word of the unit by which it is meant. */
function withUnit(served: ReadOk<string>, unit: bigint): ReadOk<string> {
  const list = parseObject(served.body);
  if (list === null || 'quota_per_unit' in list) return served;
  const answer = translated(served, { ...list, quota_per_unit: Number(unit) });
  return { ...answer, body: Buffer.from(answer.bytes).toString('utf8') };
}

interface PagePlace {
  readonly type: typeof CHARGE_TYPE | typeof REFUND_TYPE;
  readonly page: number;
  readonly size: number;
}

interface LogPage {
  readonly rows: readonly FamilyRow[];
  readonly total: number;
}

async function readPage(
  reads: FreeReads,
  { window, model, requestId, key }: OfKey<UsageQuery>,
  { type, page, size }: PagePlace,
): Promise<ReadResult<LogPage>> {
  const parameters = new URLSearchParams({
    p: String(page),
    page_size: String(size),
    type: String(type),
    start_timestamp: String(window.start),
    // Inclusive there.
    end_timestamp: String(window.end - 1),
  });
  if (model !== undefined) parameters.set('model_name', model);
  if (requestId !== undefined) parameters.set('request_id', requestId);
  // A refund may name no key.
  if (key.name !== null && key.name !== '' && type === CHARGE_TYPE) parameters.set('token_name', key.name);
  const url = `${reads.bases.api}/log/self?${parameters}`;
  return reads.json(
    url,
    'account',
    pageSchema.transform(({ data }) => ({ rows: data.items ?? [], total: data.total })),
  );
}

/** One page of charges; the last one brings the refunds of the window along. */
async function readLog(
  reads: FreeReads,
  query: OfKey<UsagePageQuery>,
  unit: bigint,
): Promise<ReadResult<UsagePageFrame>> {
  const asksFor = query.limit ?? MOST_PER_PAGE;
  if (asksFor > MOST_PER_PAGE) return tooMany(asksFor);
  const place = query.before === null ? { page: 1, size: asksFor, cut: false } : placeOf(query.before);
  const { page, size } = place;
  if (query.model !== undefined || place.cut) return readAndCut(reads, query, place, unit);
  const read = await readPage(reads, query, { type: CHARGE_TYPE, page, size });
  if (!read.ok) return read;
  const { rows, total } = read.body;
  if (rows.some((row) => !isOfKey(row, query.key))) {
    query.key.hasOthers = true;
    return readAndCut(reads, query, place, unit);
  }
  const records = asRecords(rows.filter(asked(query)), unit);
  if (page * size < total && rows.length > 0)
    return ofOneKey(
      query.key,
      translated(read, frameOf(query, records, cursorTo({ page: page + 1, size, cut: false }))),
    );
  const refunds = await allRows(reads, query, REFUND_TYPE);
  if (!refunds.ok) return refunds;
  return ofOneKey(
    query.key,
    translated(read, frameOf(query, [...records, ...asRecords(refunds.body.rows, unit)], null)),
  );
}

/** The filters of the log take parts of names: only all its rows show whether another page holds one that is meant. */
async function readAndCut(
  reads: FreeReads,
  query: OfKey<UsagePageQuery>,
  { page, size }: PageCursor,
  unit: bigint,
): Promise<ReadResult<UsagePageFrame>> {
  const charges = await allRows(reads, query, CHARGE_TYPE);
  if (!charges.ok) return charges;
  const refunds = await allRows(reads, query, REFUND_TYPE);
  if (!refunds.ok) return refunds;
  const all = [...asRecords(charges.body.rows, unit), ...asRecords(refunds.body.rows, unit)];
  const next = page * size < all.length ? cursorTo({ page: page + 1, size, cut: true }) : null;
  const cut = frameOf(query, all.slice((page - 1) * size, page * size), next);
  return ofOneKey(query.key, translated(charges, cut));
}

/** Of two keys of one name the log does not tell which rows are whose. */
function ofOneKey(key: NamedKey, answer: ReadOk<UsagePageFrame>): ReadResult<UsagePageFrame> {
  if (key.ids.size < 2) return answer;
  return unlike(
    answer,
    `several keys of the account are called ${JSON.stringify(key.name)}, and rows name no other mark of ours: give it a name of its own, or read without an access token`,
  );
}

function isOfKey({ type, token_name }: FamilyRow, { name }: NamedKey): boolean {
  return name === null || token_name === name || (type === REFUND_TYPE && token_name === '');
}

interface PageCursor extends Omit<PagePlace, 'type'> {
  /** Pages are cut of all rows that are meant, and not those of the log. */
  readonly cut: boolean;
}

/** Pages are counted in one size and one way: else the next page would begin elsewhere. */
function cursorTo({ page, size, cut }: PageCursor): string {
  return `${page}x${size}${cut ? 'c' : ''}`;
}

function placeOf(cursor: string): PageCursor {
  const [, page = '1', size = String(MOST_PER_PAGE), cut = ''] = /^(\d+)x(\d+)(c?)$/.exec(cursor) ?? [];
  return { page: Number(page), size: Number(size), cut: cut !== '' };
}

function tooMany(size: number): ReadFailure {
  const message = `page_size: a page holds at most ${MOST_PER_PAGE} rows, and ${size} would be cut without a word`;
  return { ...notOffered(message), status: 400, code: 'page_size' };
}

async function allRows(
  reads: FreeReads,
  query: OfKey<UsageQuery>,
  type: PagePlace['type'],
): Promise<ReadOk<LogPage & { readonly others: number }> | ReadFailure> {
  const all: FamilyRow[] = [];
  let others = 0;
  // A refund carries no request id.
  const wanted = type === REFUND_TYPE ? { window: query.window, model: query.model, key: query.key } : query;
  for (let page = 1; ; page += 1) {
    const read = await readPage(reads, wanted, { type, page, size: MOST_PER_PAGE });
    if (!read.ok) return read;
    const { rows, total } = read.body;
    all.push(...rows.filter(asked(query)));
    others += rows.filter((row) => !isOfKey(row, query.key)).length;
    if (page * MOST_PER_PAGE >= total || rows.length === 0)
      return { ...read, body: { rows: all, total, others } };
  }
}

/** The log counts rows of other keys, too: those that it serves are taken off. It does not filter refunds by key. */
async function ownCount(
  reads: FreeReads,
  query: OfKey<UsageQuery>,
  type: PagePlace['type'],
): Promise<ReadResult<number>> {
  if (query.key.name !== null && (type === REFUND_TYPE || query.key.hasOthers)) {
    const all = await allRows(reads, query, type);
    return all.ok ? { ...all, body: all.body.total - all.body.others } : all;
  }
  const one = await readPage(reads, query, { type, page: 1, size: 1 });
  return one.ok ? { ...one, body: one.body.total } : one;
}

async function readTokenLog(
  reads: FreeReads,
  query: UsagePageQuery,
  unit: bigint,
): Promise<ReadResult<UsagePageFrame>> {
  const read = await reads.json(`${reads.bases.api}/log/token`, 'key', tokenLogSchema);
  if (!read.ok) return read;
  const rows = read.body.data ?? [];
  const oldest = rows.at(-1)?.created_at ?? 0;
  if (rows.length >= TOKEN_ROWS && oldest >= query.window.start)
    return unlike(
      read,
      `the log of a key holds ${TOKEN_ROWS} rows and does not reach back to the start of the window: give an access token and a user id, which open the whole log`,
    );
  const money = rows.filter(({ type }) => type === CHARGE_TYPE || type === REFUND_TYPE).filter(asked(query));
  return translated(read, frameOf(query, asRecords(money, unit), null));
}

/** The log filters by parts of names and in no case; a window is half-open here. */
function asked({
  window,
  model,
  requestId,
  key,
}: UsageQuery & { readonly key?: NamedKey }): (row: FamilyRow) => boolean {
  return (row) => {
    const isOurs = key === undefined || isOfKey(row, key);
    if (isOurs && row.token_id !== 0 && row.token_name !== '') key?.ids.add(row.token_id);
    return isOurs && isAsked(row);
  };

  function isAsked(row: FamilyRow): boolean {
    return (
      row.created_at >= window.start &&
      row.created_at < window.end &&
      (model === undefined || row.model_name === model) &&
      (requestId === undefined || row.request_id === requestId)
    );
  }
}

function frameOf({ window }: UsageQuery, data: readonly unknown[], next: string | null): UsagePageFrame {
  const times = { start_time: window.start, end_time: window.end };
  return { data, next_cursor: next, has_more: next !== null, ...times, currency: 'USD' };
}

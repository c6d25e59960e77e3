import type { UsagePage } from '../../contracts/interface.ts';
import type { RecordStore, RowPlace } from '../charging/record-store.ts';
import type { ChargeRecord } from '../events/charge-record.ts';
import {
  type AskedSelection,
  type PageQuery,
  type QueriedWindow,
  usageWindow,
} from '../formats/usage-query.ts';
import type { PageSlice } from '../hooks/usage-hooks.ts';
import { invalidRequest } from '../http/api-error.ts';
import type { Readings } from '../readings/readings.ts';
import { bookedId, keepsOtherRecords } from './kept-records.ts';
import { readPageCursor, requireSameSelection, writePageCursor } from './page-cursor.ts';
import { seenRecords } from './seen-records.ts';
import { type RecordAnswer, servedRecord } from './served-record.ts';
import { mayBeWrong, OWN_WAYS, type UsageWays } from './usage-ways.ts';

export type ServedPage = Omit<UsagePage, 'data'> & {
  readonly data: readonly RecordAnswer[];
  /** Exactly; no part of the answer. */
  readonly window: QueriedWindow;
};

/** One page. A page without times of its own keeps the window of the first one, where the cursor holds it. */
export function usagePage(
  store: RecordStore,
  keyFingerprint: string,
  query: PageQuery,
  now_s: number,
  ways: UsageWays = OWN_WAYS,
): ServedPage {
  const { readings, forms } = ways;
  const cut: Cut = { store, keyFingerprint, query, now_s, ways };
  const indexed =
    readings.cursor !== 'offset' &&
    readings.order === 'newest_first' &&
    readings.ties === 'by_id' &&
    readings.last_page === 'with_records' &&
    readings.repeated_record === 'none' &&
    !keepsOtherRecords(readings) &&
    !mayBeWrong(ways);
  const { records, selection, next } = indexed ? cutByIndex(cut) : cutByCount(cut);
  return {
    currency: 'USD',
    data: records.map((record) => servedRecord(record, readings, forms)),
    next_cursor: next ?? '',
    has_more: next !== null,
    start_time: selection.start,
    end_time: selection.end,
    window: selection.window,
  };
}

interface Cut {
  readonly store: RecordStore;
  readonly keyFingerprint: string;
  readonly query: PageQuery;
  readonly now_s: number;
  readonly ways: UsageWays;
}

interface CutPage {
  readonly records: readonly ChargeRecord[];
  readonly selection: AskedSelection;
  /** The cursor of the page after it, or null. */
  readonly next: string | null;
}

/** As long on a million records as on a thousand. */
function cutByIndex(cut: Cut): CutPage {
  const { store, keyFingerprint, query } = cut;
  const { selection, after } = placeOf(cut);
  const records: ChargeRecord[] = [];
  let hasMore = false;
  for (const record of store.newestFirst(keyFingerprint, selection, after)) {
    hasMore = records.length === query.limit;
    if (hasMore) break;
    records.push(record);
  }
  const last = records.at(-1);
  return {
    records,
    selection,
    next: hasMore && last !== undefined ? cursorAfter(cut, selection, last, 0) : null,
  };
}

/** Counts through the whole selection: for readings and faults that need the positions of records. */
function cutByCount(cut: Cut): CutPage {
  const { query, ways } = cut;
  const { selection, after } = placeOf(cut);
  const newestFirst = seenRecords(cut.store, cut.keyFingerprint, selection, {
    ways,
    later: query.before !== '',
  });
  const ascending = ways.readings.order === 'oldest_first';
  const comparison = placesOf(ways.readings);
  const ordered =
    ways.readings.ties === 'by_id'
      ? newestFirst
      : [...newestFirst].sort((left, right) => comparison(right, left));
  const all = ascending ? [...ordered].reverse() : ordered;
  const from =
    ways.readings.cursor === 'offset' && query.before !== ''
      ? offsetOf(query.before, all.length, ascending)
      : after === null
        ? 0
        : all.filter((record) => isAt(record, after) || comparison(record, after) < 0 === ascending).length;
  const to = from + query.limit;
  const goesOn =
    to < all.length || (to === all.length && ways.readings.last_page === 'may_be_empty' && from < to);
  const right: PageSlice = { records: all.slice(from, to), next: goesOn ? to : null };
  const slice = ways.faults.through(right, (hooks, current) =>
    hooks.slice?.(current, { all, from, limit: query.limit, later: query.before !== '' }),
  );
  const last = slice.next === null ? undefined : all[slice.next - 1];
  return {
    records: repeated(slice.records, all[from - 1], ways.readings),
    selection,
    next:
      slice.next === null || last === undefined
        ? null
        : cursorAfter(cut, selection, last, ascending ? slice.next : all.length - slice.next),
  };
}

/** The records of a page with the one that it, or the page before, has shown already. */
function repeated(
  records: readonly ChargeRecord[],
  before: ChargeRecord | undefined,
  { repeated_record }: Readings,
): readonly ChargeRecord[] {
  const again = repeated_record === 'on_page' ? records[0] : before;
  if (repeated_record === 'none' || again === undefined) return records;
  return repeated_record === 'on_page' ? [...records, again] : [again, ...records];
}

/** The cursor of a page with nothing after it, where that is no empty text. */
export function lastCursor({ has_more }: Pick<ServedPage, 'has_more'>, { last_cursor }: Readings): object {
  if (has_more || last_cursor === 'empty') return {};
  return { next_cursor: last_cursor === 'null' ? null : undefined };
}

/** What the page selects, and the record after which it starts; null for the first page and for offsets. */
function placeOf({ store, keyFingerprint, query, now_s, ways }: Cut): {
  readonly selection: AskedSelection;
  readonly after: RowPlace | null;
} {
  const form = ways.readings.cursor;
  const opaque =
    form === 'opaque' && query.before !== '' ? readPageCursor(query.before, now_s, ways.readings) : null;
  const times = {
    start: query.times.start ?? opaque?.start ?? null,
    end: query.times.end ?? opaque?.end ?? null,
  };
  const selection = { ...usageWindow(times, now_s), model: query.model, requestId: query.requestId };
  if (opaque !== null) requireSameSelection(opaque, keyFingerprint, selection);
  if (form !== 'record_id' || query.before === '') return { selection, after: opaque };
  const named = store.find(bookedId(query.before));
  if (named === null || named.keyFingerprint !== keyFingerprint)
    throw invalidRequest("Invalid value for 'before': no such record");
  return { selection, after: { createdAt: named.createdAt, id: query.before } };
}

/** `left`: records that stand before the cursor as an offset counts them. */
function cursorAfter(cut: Cut, selection: AskedSelection, last: ChargeRecord, left: number): string {
  const { cursor, cursor_life_s } = cut.ways.readings;
  switch (cursor) {
    case 'opaque':
      return writePageCursor(cut.keyFingerprint, selection, last, cursor_life_s === null ? null : cut.now_s);
    case 'offset':
      return String(left);
    case 'record_id':
      return last.id;
  }
}

/**
 * Position of an offset: newest first it counts the records that are left, oldest first those that were served, so that
 * a record that comes while paging shifts nothing.
 */
function offsetOf(text: string, count: number, ascending: boolean): number {
  if (!/^\d{1,9}$/.test(text)) throw invalidRequest("Invalid value for 'before': must be an integer");
  const offset = Number(text);
  return Math.max(0, ascending ? offset : count - offset);
}

function isAt(record: ChargeRecord, place: RowPlace): boolean {
  return record.createdAt === place.createdAt && record.id === place.id;
}

/** Compares two places, the older first; those of one second as the readings order ties. */
function placesOf({ ties }: Readings): (left: RowPlace, right: RowPlace) => number {
  const keyOf = ties === 'by_id' ? (id: string) => id : reversed;
  return (left, right) => left.createdAt - right.createdAt || (keyOf(left.id) < keyOf(right.id) ? -1 : 1);
}

/** Sorts ids otherwise than they were given. */
function reversed(id: string): string {
  return [...id].reverse().join('');
}

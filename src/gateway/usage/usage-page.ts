import type { UsagePage } from '../../core/interface.ts';
import { type ChargeRecord, servedRecord } from '../charging/charge-record.ts';
import type { RecordStore } from '../charging/record-store.ts';
import { readCursor, requireSameSelection, writeCursor } from './page-cursor.ts';
import { type PageQuery, type UsageSelection, usageWindow } from './usage-query.ts';

/** The records of a key that a read selects, oldest first. */
export function selectRecords(
  store: RecordStore,
  keyFingerprint: string,
  { start, end, model, requestId }: UsageSelection,
): readonly ChargeRecord[] {
  return store
    .between(keyFingerprint, start, end)
    .filter(
      (record) =>
        (model === null || record.model === model) && (requestId === null || record.requestId === requestId),
    );
}

/** One page, newest first. A page without times of its own keeps the window of the first one. */
export function usagePage(
  store: RecordStore,
  keyFingerprint: string,
  query: PageQuery,
  now_s: number,
): UsagePage {
  const cursor = query.before === '' ? null : readCursor(query.before);
  const times = {
    start: query.times.start ?? cursor?.start ?? null,
    end: query.times.end ?? cursor?.end ?? null,
  };
  const selection = { ...usageWindow(times, now_s), model: query.model, requestId: query.requestId };
  if (cursor !== null) requireSameSelection(cursor, keyFingerprint, selection);
  const older = selectRecords(store, keyFingerprint, selection).filter(
    (record) =>
      cursor === null ||
      record.createdAt < cursor.createdAt ||
      (record.createdAt === cursor.createdAt && record.id < cursor.id),
  );
  const page = older.slice(-query.limit).reverse();
  const last = page.at(-1);
  const hasMore = older.length > page.length;
  return {
    currency: 'USD',
    data: page.map(servedRecord),
    next_cursor: hasMore && last !== undefined ? writeCursor(keyFingerprint, selection, last) : '',
    has_more: hasMore,
    start_time: selection.start,
    end_time: selection.end,
  };
}

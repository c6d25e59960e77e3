import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordStore } from '../charging/record-store.ts';
import { recordsBetween } from '../charging/records-between.test-support.ts';
import { chargeRecord } from '../events/charge-record.test-support.ts';
import { readPageQuery } from '../formats/usage-query.ts';
import { OWN_READINGS } from '../readings/readings.ts';
import { usagePage } from './usage-page.ts';
import { OWN_WAYS } from './usage-ways.ts';

const NOW = 5000;
/** More than any store here holds. */
const MOST_RECORDS = 500;

function storeOf(times: readonly number[], model = (_index: number): string => 'm'): RecordStore {
  const store = new RecordStore();
  for (const [index, createdAt] of times.entries()) {
    store.add(chargeRecord({ id: `r${String(index).padStart(4, '0')}`, createdAt, model: model(index) }));
  }
  return store;
}

/** Walks all pages and gives the ids in the order served. */
function walk(store: RecordStore, query: Record<string, string>, between: () => void = () => {}): string[] {
  const ids: string[] = [];
  let before = '';
  for (;;) {
    const page = usagePage(store, 'key', readPageQuery({ ...query, before }), NOW);
    ids.push(...page.data.map(({ id }) => id));
    expect(page.has_more).toBe(page.next_cursor !== '');
    if (!page.has_more) return ids;
    if (ids.length > MOST_RECORDS) throw new Error('the pages do not end');
    before = page.next_cursor;
    between();
  }
}

test('property: the pages hold every record once, newest first, whatever the limit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (times, limit) => {
        const store = storeOf(times);
        const all = recordsBetween(store, 'key', 1, NOW);
        const newestFirst = all.map(({ id }) => id).reverse();
        expect(newestFirst).toHaveLength(times.length);
        expect(walk(store, { start_time: '1', end_time: String(NOW), limit: String(limit) })).toEqual(
          newestFirst,
        );
      },
    ),
  );
});

test('a record that comes while paging shifts nothing', () => {
  const store = storeOf([10, 10, 10, 10, 10]);
  let next = 100;
  const ids = walk(store, { start_time: '1', end_time: String(NOW), limit: '2' }, () => {
    store.add(chargeRecord({ id: `r0${next}`, createdAt: 10 + next }));
    next += 1;
  });
  expect(ids).toEqual(['r0004', 'r0003', 'r0002', 'r0001', 'r0000']);
});

test('an empty selection is one page without a cursor', () => {
  const page = usagePage(new RecordStore(), 'key', readPageQuery({}), NOW);
  expect(page).toMatchObject({ currency: 'USD', data: [], next_cursor: '', has_more: false, end_time: NOW });
});

test('a page that just holds the rest is the last one', () => {
  const store = storeOf([1, 2, 3, 4]);
  expect(walk(store, { limit: '2' })).toEqual(['r0003', 'r0002', 'r0001', 'r0000']);
});

describe('filters', () => {
  const store = storeOf([1, 2, 3], (index) => (index === 1 ? 'model-a' : 'model'));

  test('the model filter is exact', () => {
    expect(walk(store, { model: 'model' })).toEqual(['r0002', 'r0000']);
    expect(walk(store, { model: 'mode' })).toEqual([]);
  });

  test('the request_id filter finds the records of one call', () => {
    expect(walk(store, { request_id: 'req-r0001' })).toEqual(['r0001']);
  });
});

describe('cursor', () => {
  const store = storeOf([1, 2, 3, 4]);
  const first = usagePage(store, 'key', readPageQuery({ limit: '2' }), NOW);

  test('keeps the window of the first page when the request names none, although time goes on', () => {
    const second = usagePage(
      store,
      'key',
      readPageQuery({ limit: '2', before: first.next_cursor }),
      NOW + 60,
    );
    expect(second).toMatchObject({ start_time: first.start_time, end_time: first.end_time });
    expect(second.data.map(({ id }) => id)).toEqual(['r0001', 'r0000']);
  });

  test.each([{ start_time: '2' }, { end_time: '4999' }, { model: 'm' }, { request_id: 'x' }])(
    'with %j, which the first page had not, is refused',
    (other) => {
      const query = readPageQuery({ before: first.next_cursor, ...other });
      expect(() => usagePage(store, 'key', query, NOW)).toThrow('must be kept');
    },
  );

  test('of another key is refused', () => {
    expect(() => usagePage(store, 'other', readPageQuery({ before: first.next_cursor }), NOW)).toThrow(
      'must be kept',
    );
  });

  test.each(['x', 'e30', '!!!', Buffer.from('[1,2,3]').toString('base64url')])(
    '%j is no cursor',
    (before) => {
      expect(() => usagePage(store, 'key', readPageQuery({ before }), NOW)).toThrow('not a cursor');
    },
  );
});

test.each([
  ['newest_first', ['r0030', 'r0029', 'r0020', 'r0012', 'r0011', 'r0001']],
  ['oldest_first', ['r0001', 'r0011', 'r0012', 'r0020', 'r0029', 'r0030']],
] as const)('ties in another order than that of their ids, %s', (order, byId) => {
  const store = new RecordStore();
  for (const id of [...byId].sort()) store.add(chargeRecord({ id, createdAt: 7 }));
  const readings = { ...OWN_READINGS, ties: 'any', order } as const;
  const ids: string[] = [];
  for (let before = ''; ; ) {
    const query = readPageQuery({ start_time: '1', end_time: '9', limit: '2', before });
    const page = usagePage(store, 'key', query, NOW, { ...OWN_WAYS, readings });
    ids.push(...page.data.map(({ id }) => id));
    if (!page.has_more) break;
    before = page.next_cursor;
  }
  expect([...ids].sort()).toEqual([...byId].sort());
  expect(ids).not.toEqual(byId);
  expect(ids[0]).toBe(order === 'newest_first' ? 'r0029' : 'r0020');
});

test('a cursor that has outlived its life is gone', () => {
  const ways = { ...OWN_WAYS, readings: { ...OWN_READINGS, cursor_life_s: 60 } };
  const store = storeOf([1, 2, 3]);
  const query = { start_time: '1', end_time: '9', limit: '1' };
  const { next_cursor: before } = usagePage(store, 'key', readPageQuery(query), NOW, ways);
  const later = (seconds: number) =>
    usagePage(store, 'key', readPageQuery({ ...query, before }), NOW + seconds, ways);
  expect(later(59).data).toMatchObject([{ id: 'r0001' }]);
  expect(() => later(60)).toThrow(expect.objectContaining({ status: 410 }));
});

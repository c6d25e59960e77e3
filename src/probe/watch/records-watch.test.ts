import { expect, test } from 'vitest';
import { eachOnce, RecordsWatch, watchedRecords } from './records-watch.ts';
import { freshMetrics, samples } from './watch-bench.test-support.ts';

const WINDOW = { start: 100, end: 200 };

function recordOf(id: string, over: object = {}) {
  return {
    id,
    request_id: `req-${id}`,
    created_at: 150,
    model: 'm',
    result: 'success',
    billing_status: 'settled',
    amount: '0.1',
    reserved_amount: '0',
    refunded_amount: '0',
    usage_estimated: false,
    ...over,
  };
}

function watchOf(earlier: ConstructorParameters<typeof RecordsWatch>[2] = []) {
  const metrics = freshMetrics();
  const watch = new RecordsWatch({ name: 'main' }, metrics, earlier);
  let at_ms = 0;
  const read = async (served: readonly object[], whole = true, window = WINDOW) => {
    at_ms += 1000;
    const page = pageOf(served);
    const records = await eachOnce(watchedRecords(page, at_ms));
    const given = { name: '1h', window, pages: [page], records, whole } as const;
    return { ...(await watch.read(given)), given };
  };
  const changes = async () => {
    const lines = await samples(metrics, 'weighbridge_usage_record_changes_total');
    return lines.filter((line) => !line.endsWith(' 0'));
  };
  return { metrics, watch, read, changes };
}

function pageOf(records: readonly object[]) {
  return { currency: 'USD', data: records, has_more: false, next_cursor: '' };
}

test('records of a window are counted once, however pages overlap', async () => {
  const { metrics, read } = watchOf();
  await read([recordOf('a'), recordOf('b', { usage_estimated: true }), recordOf('a')]);
  expect(await samples(metrics, 'weighbridge_usage_read_records')).toEqual(['{window="1h"} 2']);
  expect(await samples(metrics, 'weighbridge_usage_estimated_records')).toEqual(['{window="1h"} 1']);
});

test('drift is exact, and is not told of a read that is not whole or cannot be read', async () => {
  const { metrics, watch, read } = watchOf();
  const drift = () => samples(metrics, 'weighbridge_usage_totals_drift_usd');
  const three = await read([
    recordOf('a'),
    recordOf('b', { amount: '0.2' }),
    recordOf('c', { billing_status: 'pending' }),
  ]);
  watch.drift(three.given, { settled_amount: '0.3' });
  expect(await drift()).toEqual(['{window="1h"} 0']);
  watch.drift(three.given, { settled_amount: '0.300000000001' });
  expect(await drift()).toEqual(['{window="1h"} 1e-12']);
  watch.drift(three.given, null);
  expect(await drift()).toEqual([]);
  watch.drift({ ...three.given, whole: false }, { settled_amount: '0.3' });
  expect(await drift()).toEqual([]);
  watch.drift((await read([recordOf('a', { amount: 'x' })])).given, { settled_amount: '0.3' });
  expect(await drift()).toEqual([]);
});

test('a settled record that changes counts once; settling and refunding are no changes', async () => {
  const { read, changes } = watchOf();
  const pending = recordOf('a', { billing_status: 'pending', amount: '0' });
  await read([pending, recordOf('b')]);
  expect((await read([recordOf('a'), recordOf('b')])).news.size).toBe(1);
  await read([recordOf('a'), recordOf('b', { billing_status: 'refunded', refunded_amount: '0.1' })]);
  expect(await changes()).toEqual([]);
  await read([
    recordOf('a', { amount: '0.3' }),
    recordOf('b', { billing_status: 'refunded', refunded_amount: '0.1' }),
  ]);
  await read([
    recordOf('a', { amount: '0.3' }),
    recordOf('b', { billing_status: 'refunded', refunded_amount: '0.1' }),
  ]);
  expect(await changes()).toEqual(['{change="changed"} 1']);
});

test('a settled record has vanished when two whole reads of its time miss it', async () => {
  const { read, changes } = watchOf();
  await read([recordOf('a'), recordOf('b', { billing_status: 'pending' })]);
  await read([]);
  expect(await changes()).toEqual([]);
  await read([], false);
  await read([], true, { start: 151, end: 300 });
  expect(await changes()).toEqual([]);
  await read([]);
  await read([]);
  expect(await changes()).toEqual(['{change="vanished"} 1']);
});

test('a record that one read missed and the next one has again did not vanish', async () => {
  const { read, changes } = watchOf();
  await read([recordOf('a')]);
  await read([]);
  await read([recordOf('a')]);
  await read([]);
  expect(await changes()).toEqual([]);
});

test('what was archived by an earlier process is compared with, and not counted anew', async () => {
  const page = (amount: string) => pageOf([recordOf('a', { amount })]);
  const { read, changes } = watchOf([
    { page: page('0.1'), at_ms: 10 },
    { page: page('0.2'), at_ms: 20 },
  ]);
  expect(await changes()).toEqual([]);
  await read([recordOf('a', { amount: '0.2' })]);
  expect(await changes()).toEqual([]);
  await read([recordOf('a', { amount: '0.4' })]);
  expect(await changes()).toEqual(['{change="changed"} 1']);
});

test('the first read that shows a request settled is remembered', async () => {
  const { watch, read } = watchOf();
  await read([recordOf('a', { billing_status: 'pending' })]);
  expect(watch.settledAt('req-a')).toBeNull();
  await read([recordOf('a')]);
  await read([recordOf('a')]);
  expect(watch.settledAt('req-a')).toBe(2000);
});

test('a thousand records are taken up in many turns of the event loop', async () => {
  const { read } = watchOf();
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await read(Array.from({ length: 1000 }, (_, index) => recordOf(`r${index}`)));
  isOver = true;
  // Of the comparison, and as many of the search for those that stand on two pages.
  expect(turns).toBeGreaterThan(90);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { UsagePage, UsageTotals } from '../../../contracts/interface.ts';
import type { JournalFault, JournalLine } from '../../../contracts/journal.ts';
import type { FaultParameters } from '../../hooks/fault-definition.ts';
import { startTestGateway, type TestGateway } from '../../parts/gateway.test-support.ts';

const MODELS = ['aspen', 'aspen-mini', 'aspen-nano', 'aspen', 'aspen-mini'];
const lines = z.object({ lines: z.array(z.custom<JournalLine>((line) => typeof line === 'object')) });
const page = z.custom<UsagePage>((value) => typeof value === 'object' && value !== null);
const totals = z.custom<UsageTotals>((value) => typeof value === 'object' && value !== null);

let gateway: TestGateway;
/** The right records, newest first. */
let ids: string[];

beforeAll(async () => {
  gateway = await startTestGateway();
  for (const model of MODELS)
    await gateway.call('POST', '/v1/responses', { model, input: 'x', max_output_tokens: 2 });
  ids = (await gateway.records()).map(({ id }) => id);
  expect(ids).toHaveLength(5);
});
afterAll(() => gateway.running.close());

let seen = 0;
beforeEach(async () => {
  seen = (await journal()).length;
});

async function journal(): Promise<readonly JournalLine[]> {
  return lines.parse((await gateway.control('GET', '/journal')).json).lines;
}

/** The lines of this test; each must be without an effect on the charge. */
async function fired(): Promise<readonly JournalFault[]> {
  const faults = (await journal()).slice(seen).filter((line) => line.type === 'fault');
  expect(faults.map(({ delta }) => delta)).toEqual(faults.map(() => '0'));
  return faults;
}

async function plan(fault: string, parameters: FaultParameters = {}): Promise<void> {
  const entry = { fault, when: { every: 1 }, parameters };
  const put = await gateway.control('PUT', '/faults', { faults: [entry] });
  expect([put.status, put.text]).toEqual([200, expect.any(String)]);
}

/** All pages of a selection by their ids; a cursor that comes twice ends the walk and is told. */
async function walk(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  const cursors = new Set<string>();
  let before = '';
  for (;;) {
    const read = page.parse((await gateway.call('GET', `/v1/usage/requests?${query}&before=${before}`)).json);
    pages.push(read.data.map(({ id }) => id));
    if (!read.has_more) return pages;
    if (cursors.has(read.next_cursor)) return [...pages, ['the same cursor']];
    before = read.next_cursor;
    cursors.add(before);
  }
}

const at = (...positions: number[]): string[] => positions.map((position) => ids[position] ?? 'none');

test.each([
  ['bill.cursor_skip', {}, () => [at(0, 1), at(3, 4)]],
  ['bill.cursor_repeat', {}, () => [at(0, 1), at(1, 2), at(2, 3), at(3, 4)]],
  ['bill.cursor_loop', {}, () => [at(0, 1), at(2, 3), ['the same cursor']]],
  ['bill.cursor_unstable', {}, () => [at(0, 1), at(1, 2), at(4)]],
  ['bill.cursor_has_more_lie', {}, () => [at(0, 1)]],
  ['bill.cursor_has_more_lie', { variant: 'promises_more' }, () => [at(0, 1), at(2, 3), at(4), []]],
] as const)('%s %j', async (fault, parameters, pages) => {
  await plan(fault, parameters);
  const walked = await walk('limit=2');
  expect(walked).toEqual(pages());
  const faults = await fired();
  expect(faults.length).toBeGreaterThan(0);
  expect(new Set(faults.map((line) => line.fault))).toEqual(new Set([fault]));
});

test('a page that is the only one has nothing to skip, repeat or promise', async () => {
  for (const fault of [
    'bill.cursor_skip',
    'bill.cursor_repeat',
    'bill.cursor_loop',
    'bill.cursor_unstable',
  ]) {
    await plan(fault);
    expect(await walk('limit=10')).toEqual([ids]);
  }
  expect(await fired()).toEqual([]);
});

test('filters: lost after the first page, or wider than asked', async () => {
  const nano = at(2);
  const aspen = at(1, 4);
  await plan('bill.cursor_filter_lost');
  expect(await walk('limit=1&model=aspen')).toEqual([at(1), at(2), at(3), at(4)]);
  await plan('bill.filter_mismatch');
  expect(await walk('limit=10&model=aspen')).toEqual([ids]);
  expect(await walk('limit=10&model=aspen-nano')).toEqual([nano]);
  await plan('bill.filter_mismatch', { variant: 'request_id_ignored' });
  expect(await walk('limit=10&model=aspen&request_id=none')).toEqual([aspen]);
  expect((await fired()).length).toBe(5);
});

test('the edges of a window, at all times or at midnight only', async () => {
  const [newest] = await gateway.records();
  const second = newest?.created_at ?? 0;
  const midnight = second - (second % 86_400);
  const count = async (query: string): Promise<number> =>
    totals.parse((await gateway.call('GET', `/v1/usage?${query}`)).json).records;
  const until = `start_time=${second - 60}&end_time=${second}`;
  const from = `start_time=${second}&end_time=${second + 60}`;
  const right = [await count(until), await count(from)];
  const ofSecond = right[1] ?? 0;
  expect(ofSecond).toBeGreaterThan(0);

  await plan('bill.window_edge');
  expect(await count(until)).toBe((right[0] ?? 0) + ofSecond);
  expect((await walk(`${until}&limit=10`)).flat()).toHaveLength((right[0] ?? 0) + ofSecond);
  await plan('bill.window_edge', { variant: 'start_exclusive' });
  expect(await count(from)).toBe(0);
  expect((await fired()).length).toBe(3);
  for (const variant of ['end_inclusive', 'start_exclusive']) {
    await plan('bill.window_edge', { variant, only_midnight: true });
    expect([await count(until), await count(from)]).toEqual(right);
    expect(await count(`start_time=${midnight}&end_time=${midnight + 86_400}`)).toBeGreaterThan(0);
  }
  expect((await fired()).length).toBe(3);
});

test('totals: one figure is wrong, all others are right', async () => {
  const read = async (): Promise<UsageTotals> => totals.parse((await gateway.call('GET', '/v1/usage')).json);
  const fields = ({ start_time: _, end_time: __, ...kept }: UsageTotals): object => kept;
  await gateway.control('PUT', '/faults', { faults: [] });
  const right = await read();
  const centMore = (text: string): string => (Number(text) + 0.01).toFixed(8).replace(/0+$/, '');
  const [model, ...models] = right.by_model;
  const [day, ...days] = right.daily;
  if (model === undefined || day === undefined) throw new Error('no parts');
  const wrong: Readonly<Record<string, object>> = {
    settled: { settled_amount: centMore(right.settled_amount) },
    records: { records: 6 },
    unknown_records: { unknown_records: 1 },
    by_model: { by_model: [{ ...model, settled_amount: centMore(model.settled_amount) }, ...models] },
    daily: { daily: [{ ...day, settled_amount: centMore(day.settled_amount) }, ...days] },
  };
  for (const [variant, changed] of Object.entries(wrong)) {
    await plan('bill.totals_drift', { variant });
    expect(fields(await read())).toEqual({ ...fields(right), ...changed });
  }
  // One of the two moves every moment of a day to another day.
  await plan('bill.totals_drift', { variant: 'local_day', offset_hours: 14 });
  const east = (await read()).daily.map(({ date }) => date);
  await plan('bill.totals_drift', { variant: 'local_day', offset_hours: -14 });
  const west = (await read()).daily.map(({ date }) => date);
  expect([...east, ...west].some((date) => date !== day.date)).toBe(true);
  expect((await fired()).length).toBeGreaterThanOrEqual(6);
});

test('the account read: more is used than the records say', async () => {
  const { access_token, user_id } = gateway.running.ready;
  const used = async (): Promise<{ used_quota: number; quota: number; request_count: number }> =>
    z
      .object({ data: z.object({ used_quota: z.number(), quota: z.number(), request_count: z.number() }) })
      .parse(
        (
          await gateway.call('GET', '/api/user/self', undefined, {
            authorization: `Bearer ${access_token}`,
            'new-api-user': String(user_id),
          })
        ).json,
      ).data;
  await gateway.control('PUT', '/faults', { faults: [] });
  const right = await used();
  await plan('bill.quota_drift', { factor: '2.5' });
  expect(await used()).toEqual({ ...right, used_quota: Math.floor(right.used_quota * 2.5) });
  expect((await fired()).length).toBe(1);
});

test('the price book: a model without a price, or other prices under the same version', async () => {
  const read = async () =>
    z
      .looseObject({ pricing_version: z.string(), models: z.array(z.looseObject({ id: z.string() })) })
      .parse((await gateway.call('GET', '/pricing.usd.json')).json);
  await gateway.control('PUT', '/faults', { faults: [] });
  const right = await read();
  await plan('bill.book_incoherent', { model: 'glen-small' });
  expect(await read()).toEqual({ ...right, models: right.models.filter(({ id }) => id !== 'glen-small') });
  await plan('bill.book_incoherent', { variant: 'silent_change', factor: '2' });
  const changed = await read();
  expect(changed.pricing_version).toBe(right.pricing_version);
  expect(changed.models.find(({ id }) => id === 'aspen')).toMatchObject({ input: '5', output: '20' });
  expect((await fired()).map(({ fault }) => fault)).toEqual(['bill.book_incoherent', 'bill.book_incoherent']);
});

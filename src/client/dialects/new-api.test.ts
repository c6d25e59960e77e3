import { afterEach, describe, expect, it } from 'vitest';
import type { GatewayClientOptions } from '../gateway-client.ts';
import {
  type LoopbackServer,
  loopbackServer,
  sendJson,
  testClient,
} from '../loopback-server.test-support.ts';
import type { UsagePageQuery } from './bill-reader.ts';

/** Rows as a new-api of April 2026 served them, newest first. */
interface Row {
  readonly type: number;
  readonly created_at: number;
  readonly quota: number;
  readonly [more: string]: unknown;
}

const START = 1_790_000_000;
const WINDOW = { start: START, end: START + 100 };
const PAGE: UsagePageQuery = { window: WINDOW, limit: 100, before: null };
const ACCOUNT = { accessToken: 'token-of-the-account', userId: '7' };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function charge(request: string, more: Partial<Row> = {}): Row {
  return {
    id: 1,
    type: 2,
    created_at: START + 5,
    model_name: 'wb-chat',
    quota: 83,
    prompt_tokens: 1000,
    completion_tokens: 50,
    request_id: request,
    group: 'default',
    username: 'ada',
    token_name: 'mine',
    token_id: 1,
    ip: '10.0.0.9',
    content: 'a prompt',
    other: JSON.stringify({ cache_tokens: 200, model_ratio: 0.075 }),
    ...more,
  };
}

async function newApi(
  rows: readonly Row[],
  options: Partial<GatewayClientOptions> = ACCOUNT,
  unit: unknown = 500_000,
) {
  const server = await loopbackServer((_request, response, url) => {
    const of = (name: string): number => Number(url.searchParams.get(name));
    switch (url.pathname) {
      case '/api/status':
        return sendJson(response, 200, { success: true, data: { quota_per_unit: unit } });
      case '/api/pricing':
        return sendJson(response, 200, { success: true, data: [{ model_name: 'wb-chat', quota_type: 0 }] });
      case '/api/usage/token':
        return sendJson(response, 200, { code: true, data: { object: 'token_usage', name: 'mine' } });
      case '/api/log/token':
        return sendJson(response, 200, { success: true, message: '', data: rows });
      case '/api/log/self': {
        const all = rows.filter(
          ({ type, created_at, model_name, token_name, request_id }) =>
            type === of('type') &&
            created_at >= of('start_timestamp') &&
            created_at <= of('end_timestamp') &&
            String(model_name).includes(url.searchParams.get('model_name') ?? '') &&
            (type === 6 || String(token_name).includes(url.searchParams.get('token_name') ?? '')) &&
            [null, request_id].includes(url.searchParams.get('request_id')),
        );
        const size = Math.min(of('page_size'), 100);
        const items = all.slice((of('p') - 1) * size, of('p') * size);
        return sendJson(response, 200, { success: true, data: { items, total: all.length } });
      }
      default:
        return sendJson(response, url.pathname.startsWith('/v1/') ? 404 : 200, '<!doctype html>');
    }
  });
  const client = testClient(server.root, { dialect: 'auto', ...options });
  open.push(client, server);
  return { server, client };
}

function asked(server: LoopbackServer): readonly string[] {
  return server.requests.map(({ url }) => (url ?? '').split('?')[0] ?? '');
}

describe('a target of the new-api family', () => {
  it('is known by its status where the interface has nothing', async () => {
    const { server, client } = await newApi([charge('r1')]);
    expect(client.dialect).toBe('interface');
    const page = await client.usageRequests(PAGE);
    expect(client.dialect).toBe('new-api');
    expect(client.totals).toBe('counts');
    expect(page).toMatchObject({ ok: true, body: { has_more: false, currency: 'USD' } });
    expect(asked(server).slice(0, 3)).toEqual(['/v1/usage/requests', '/v1/usage', '/api/status']);
    await client.usageRequests(PAGE);
    // What was seen once is not looked for again.
    expect(asked(server).filter((path) => path === '/v1/usage')).toHaveLength(1);
  });

  it('serves a charge as a record, in dollars, and keeps nothing else of the row', async () => {
    const { client } = await newApi([charge('r1')]);
    const page = await client.usageRequests(PAGE);
    if (!page.ok) throw new Error(page.message);
    expect(page.body.data).toEqual([
      {
        usage_estimated: false,
        created_at: START + 5,
        model: 'wb-chat',
        billing_status: 'settled',
        refunded_amount: '0',
        pricebook_id: 'new-api',
        pricing_version: 'not told',
        price_group: 'default',
        id: 'r1',
        request_id: 'r1',
        result: 'completed',
        amount: '0.000166',
        reserved_amount: '0.000166',
        input_tokens: 1000,
        output_tokens: 50,
        cache_read_tokens: 200,
        cache_write_tokens: 0,
      },
    ]);
    const kept = Buffer.from(page.bytes).toString();
    for (const mark of ['ada', '10.0.0.9', 'a prompt']) expect(kept).not.toContain(mark);
  });

  it('adds cached and written tokens to the input where the channel counts them beside it', async () => {
    const other = { usage_semantic: 'anthropic', cache_tokens: 200, cache_creation_tokens: 150 };
    const { client } = await newApi([charge('r1', { other: JSON.stringify(other) })]);
    expect(await client.usageRequests(PAGE)).toMatchObject({
      body: { data: [{ input_tokens: 1350, cache_read_tokens: 200, cache_write_tokens: 150 }] },
    });
  });

  it('reads whole pages to the last, and refunds with it', async () => {
    const rows = [
      ...Array.from({ length: 230 }, (_, index) => charge(`r${index}`)),
      {
        type: 6,
        created_at: START + 60,
        quota: 333_333,
        model_name: 'wb-video',
        other: '{"task_id":"task_9"}',
      },
      { type: 5, created_at: START + 61, quota: 0, request_id: 'r1' },
      { type: 1, created_at: START + 61, quota: 9_000_000 },
    ];
    const { client } = await newApi(rows);
    const seen: unknown[] = [];
    let before: string | null = null;
    for (let page = 1; page <= 3; page += 1) {
      const read = await client.usageRequests({ ...PAGE, before });
      if (!read.ok) throw new Error(read.message);
      expect(read.body.has_more).toBe(page < 3);
      before = read.body.next_cursor ?? null;
      seen.push(...read.body.data);
    }
    expect(seen).toHaveLength(231);
    expect(seen.at(-1)).toMatchObject({
      id: 'refund-task_9',
      request_id: 'task_9',
      amount: '-0.666666',
      result: 'failed',
    });
    // The count of the log itself, in place of totals.
    const totals = await client.usageTotals({ window: WINDOW });
    expect(totals).toMatchObject({ ok: true, body: { records: 231 } });
  });

  it('refuses a page that would be cut, so that the reader asks for less', async () => {
    const { client } = await newApi([charge('r1')]);
    await client.usageRequests(PAGE);
    expect(await client.usageRequests({ ...PAGE, limit: 1000 })).toMatchObject({ ok: false, status: 400 });
  });

  it('tells two charges of one request apart', async () => {
    const { client } = await newApi([charge('r1'), charge('r1')]);
    expect(await client.usageRequests(PAGE)).toMatchObject({
      body: { data: [{ id: 'r1' }, { id: 'r1-2', request_id: 'r1' }] },
    });
  });

  it('keeps to the window, which is half-open, and to a model by its whole name', async () => {
    const rows = [
      charge('end', { created_at: WINDOW.end }),
      charge('last', { created_at: WINDOW.end - 1 }),
      charge('long', { model_name: 'wb-chat-pro' }),
      charge('first', { created_at: START }),
      charge('before', { created_at: START - 1 }),
    ];
    const { client } = await newApi(rows);
    const ids = async (query: Partial<UsagePageQuery>) => {
      const read = await client.usageRequests({ ...PAGE, ...query });
      return read.ok ? read.body.data.map((record) => Reflect.get(Object(record), 'id')) : read.message;
    };
    expect(await ids({})).toEqual(['last', 'long', 'first']);
    expect(await ids({ model: 'wb-chat' })).toEqual(['last', 'first']);
    expect(await ids({ requestId: 'long' })).toEqual(['long']);
    // Whether there is more of it only the rows tell: the filter finds the longer name, too.
    const first = await client.usageRequests({ ...PAGE, model: 'wb-chat', limit: 2 });
    expect(first).toMatchObject({ body: { data: [{ id: 'last' }, { id: 'first' }], has_more: false } });
    const one = await client.usageRequests({ ...PAGE, model: 'wb-chat', limit: 1 });
    expect(one).toMatchObject({ body: { data: [{ id: 'last' }], next_cursor: '2x1c' } });
    expect(await ids({ model: 'wb-chat', limit: 100, before: '2x1c' })).toEqual(['first']);
    // Parts of names would be counted, too.
    expect(await client.usageTotals({ window: WINDOW })).toMatchObject({ body: { records: 3 } });
    const ofModel = await client.usageTotals({ window: WINDOW, model: 'wb-chat' });
    expect(ofModel.ok ? ofModel.body : ofModel).toEqual({});
  });

  it('reads the log of the key where there is no access token, as far as it goes', async () => {
    const late = charge('late', { created_at: WINDOW.end });
    const { server, client } = await newApi([late, charge('r2'), charge('r1')], {});
    expect(await client.usageRequests(PAGE)).toMatchObject({ body: { data: [{ id: 'r2' }, { id: 'r1' }] } });
    expect(await client.usageTotals({ window: WINDOW })).toMatchObject({ body: { records: 2 } });
    expect(asked(server)).toContain('/api/log/token');
    const full = Array.from({ length: 1000 }, (_, index) => charge(`r${index}`));
    const cut = await newApi(full, {});
    expect(await cut.client.usageRequests(PAGE)).toMatchObject({
      ok: false,
      read: 'GET /api/log/self',
      message: expect.stringContaining('does not reach back to the start of the window'),
    });
  });

  it('leaves out the rows of other keys of the account, whose log it is', async () => {
    const rows = [
      charge('r3'),
      charge('foreign', { token_name: 'mine too', token_id: 2 }),
      charge('other', { token_name: 'yours', token_id: 3 }),
      charge('r1'),
    ];
    const { client } = await newApi(rows);
    for (const limit of [100, 2]) {
      const page = await client.usageRequests({ ...PAGE, limit });
      expect(page).toMatchObject({ body: { data: [{ id: 'r3' }, { id: 'r1' }], has_more: false } });
    }
    const refund = { type: 6, created_at: START + 60, quota: 5, other: '{"task_id":"task_9"}' };
    const mixed = await newApi([...rows, refund, { ...refund, token_name: 'mine too' }]);
    expect(await mixed.client.usageRequests(PAGE)).toMatchObject({ body: { data: { length: 3 } } });
    // The count of the log without those rows: our month is proved whole beside a key whose name holds ours.
    expect(await mixed.client.usageTotals({ window: WINDOW })).toMatchObject({ body: { records: 3 } });
    const twins = await newApi([charge('r1'), charge('r2', { token_id: 2 })]);
    expect(await twins.client.usageRequests(PAGE)).toMatchObject({
      ok: false,
      message: expect.stringContaining('several keys of the account are called "mine"'),
    });
  });

  it('adds the unit of quota to the price list, which is meant by it', async () => {
    const { client } = await newApi([]);
    const book = await client.priceBook();
    if (!book.ok) throw new Error(book.message);
    expect(JSON.parse(book.body)).toMatchObject({
      quota_per_unit: 500_000,
      data: [{ model_name: 'wb-chat' }],
    });
  });

  it.each([0.5, 300_007])('refuses %d units a dollar, which make no exact amounts', async (unit) => {
    const { client } = await newApi([charge('r1')], ACCOUNT, unit);
    expect(await client.usageRequests(PAGE)).toMatchObject({
      ok: false,
      message: `quota_per_unit: ${unit} units a dollar make no exact amounts`,
    });
  });
});

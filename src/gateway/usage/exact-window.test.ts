import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { exactJson } from './usage-routes.ts';

const MOST = 2n ** 63n - 1n;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

/** The window of the answer, as it stands there. */
async function toldWindow(path: string): Promise<readonly (string | undefined)[]> {
  const { status, headers, text, json } = await gateway.call('GET', path);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(json).toMatchObject({ currency: 'USD', start_time: expect.any(Number) });
  return [/"start_time":(\d+)[,}]/.exec(text)?.[1], /"end_time":(\d+)[,}]/.exec(text)?.[1]];
}

test.each(['/v1/usage', '/v1/usage/requests'])('%s echoes every int64 digit by digit', async (path) => {
  expect(await toldWindow(`${path}?end_time=${MOST}`)).toEqual([String(MOST - 2_592_000n), String(MOST)]);
  expect(await toldWindow(`${path}?start_time=${MOST - 1n}&end_time=${MOST}`)).toEqual([
    String(MOST - 1n),
    String(MOST),
  ]);
  const safe = 2n ** 53n - 1n;
  expect(await toldWindow(`${path}?start_time=${safe - 1n}&end_time=${safe + 2n}`)).toEqual([
    String(safe - 1n),
    String(safe + 2n),
  ]);
});

test('a cursor is bound to its window, whose times it holds digit by digit', async () => {
  const { call } = gateway;
  for (let paid = 0; paid < 2; paid += 1) await call('POST', '/v1/chat/completions', chatBody());
  const first = z.object({ next_cursor: z.string(), end_time: z.number() });
  const end = Math.floor(Date.now() / 1000) + 60;
  const window = `start_time=${end - 3600}&end_time=${end}`;
  const { next_cursor } = first.parse((await call('GET', `/v1/usage/requests?limit=1&${window}`)).json);
  const [, , , , check] = z
    .tuple([z.number(), z.string(), z.string(), z.string(), z.string()])
    .parse(JSON.parse(Buffer.from(next_cursor, 'base64url').toString()));
  expect((await call('GET', `/v1/usage/requests?limit=1&before=${next_cursor}`)).status).toBe(200);
  const forged = Buffer.from(
    JSON.stringify([1, 'rec_000000000001', String(MOST - 2n), String(MOST), check]),
  ).toString('base64url');
  const refused = await call('GET', `/v1/usage/requests?before=${forged}`);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('must be kept')]);
});

test('all else of the answer stays as it is', () => {
  const body = { a: '"start_time":1', start_time: 5, b: { end_time: 6 }, end_time: 'x', gone: undefined };
  expect(exactJson(body, { start: MOST - 1n, end: MOST })).toBe(
    JSON.stringify({ ...body, start_time: 0 }).replace('"start_time":0', `"start_time":${MOST - 1n}`),
  );
});

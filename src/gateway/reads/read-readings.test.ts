import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { readReadings } from '../readings/read-readings.ts';

const self = z.object({
  data: z.object({ quota: z.int(), used_quota: z.int(), request_count: z.int() }),
});
const job = z.object({ job_id: z.string() });
const IMAGE = { model: 'lumen-image', prompt: 'x' };

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function start(text: string): Promise<TestGateway> {
  gateway = await startTestGateway({
    readings: readReadings({ text, file: 'readings.yaml' }),
    latency: 'slow',
  });
  return gateway;
}

async function account(on: TestGateway): Promise<z.infer<typeof self>['data']> {
  const { access_token, user_id } = on.running.ready;
  const headers = { authorization: `Bearer ${access_token}`, 'new-api-user': String(user_id) };
  return self.parse((await on.call('GET', '/api/user/self', undefined, headers)).json).data;
}

test.each([
  ['settled', 0],
  ['reserved', 21_000],
])('credit that is used, %s', async (reading, used) => {
  const on = await start(`account_unit: 500000th\naccount_used: ${reading}\n`);
  await on.call('POST', '/v1/images/generations/jobs', IMAGE);
  expect(await account(on)).toMatchObject({ quota: 500_000_000 - 21_000, used_quota: used });
});

test('credit in cents', async () => {
  const on = await start('account_unit: cents\n');
  expect(await account(on)).toMatchObject({ quota: 100_000 });
});

test.each([
  ['accepted', [1, 1]],
  ['settled', [0, 0]],
])('requests: a failed job counts where %s ones do', async (reading, counts) => {
  const on = await start(`account_requests: ${reading}\n`);
  const { job_id } = job.parse((await on.call('POST', '/v1/images/generations/jobs', IMAGE)).json);
  const before = (await account(on)).request_count;
  await on.control('POST', `/tasks/${job_id}/fail`);
  expect([before, (await account(on)).request_count]).toEqual(counts);
});

test('requests: one that is charged counts once', async () => {
  const on = await start('account_requests: settled\n');
  await on.control('PUT', '/latency', { preset: 'fast' });
  await on.call('POST', '/v1/images/generations', IMAGE);
  expect((await account(on)).request_count).toBe(1);
});

test.each(['plain', 'ratio', 'per_token'])('a book in another order at each read: %s', async (layout) => {
  const on = await start(`book_order: any\nbook_layout: ${layout}\n`);
  const read = async () => {
    const { text } = await on.call('GET', '/pricing.usd.json');
    return [text.indexOf('"aspen"'), text.indexOf('"lumen-image"'), [...text].sort().join('')] as const;
  };
  const [text, image, characters] = await read();
  const again = await read();
  expect([text, image]).not.toContain(-1);
  expect(again.slice(0, 2)).not.toEqual([text, image]);
  expect(again[2]).toBe(characters);
});

test('lists need a key', async () => {
  const on = await start('lists_need_key: true\n');
  for (const path of ['/v1/models', '/pricing.usd.json']) {
    expect((await on.call('GET', path, undefined, { authorization: null })).status).toBe(401);
    expect((await on.call('GET', path)).status).toBe(200);
  }
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.running.close());

async function pass(advance_s: number): Promise<void> {
  expect((await gateway.control('POST', '/clock', { advance_s })).status).toBe(200);
}

const statusOf = async (link: string | null) => (await fetch(link ?? '')).status;
const imageLink = z.object({ data: z.tuple([z.object({ url: z.string() })]) });

async function completed(create: string, read: string, body: object): Promise<string> {
  const created = await gateway.call('POST', create, body);
  const { id, job_id } = z
    .object({ id: z.string().optional(), job_id: z.string().optional() })
    .parse(created.json);
  const path = `${read}/${id ?? job_id}`;
  await expect
    .poll(async () => (await gateway.call('GET', path)).json)
    .toMatchObject({ status: 'completed' });
  return path;
}

test('the link of an image works for an hour; the result gives a fresh one', async () => {
  const image = { model: 'lumen-image', prompt: 'a wheel' };
  const path = await completed('/v1/images/generations/jobs', '/v1/images/jobs', image);
  const link = async () => imageLink.parse((await gateway.call('GET', `${path}/result`)).json).data[0].url;
  const first = await link();
  await pass(HOUR_S - 60);
  expect(await statusOf(first)).toBe(200);
  await pass(60);
  expect(await statusOf(first)).toBe(403);
  expect(await statusOf(await link())).toBe(200);
});

test('the link of a video works for an hour from completion; the content gives a fresh one', async () => {
  const path = await completed('/v1/videos', '/v1/videos', { model: 'orbit-2', prompt: 'a sail' });
  const link = async () => z.object({ url: z.string() }).parse((await gateway.call('GET', path)).json).url;
  const first = await link();
  expect(await statusOf(first)).toBe(200);
  await pass(HOUR_S);
  expect([await statusOf(first), await statusOf(await link())]).toEqual([403, 403]);
  const content = await gateway.call('GET', `${path}/content`);
  expect(await statusOf(content.headers.get('content-location'))).toBe(200);
});

test('a task is unknown after a day, its record is not', async () => {
  const path = await completed('/v1/videos', '/v1/videos', { model: 'orbit-2', prompt: 'a sail' });
  await pass(DAY_S - 60);
  expect((await gateway.call('GET', path)).status).toBe(200);
  await pass(120);
  for (const read of [path, `${path}/content`]) {
    const answer = await gateway.call('GET', read);
    expect([answer.status, answer.json]).toMatchObject([404, { error: { code: 'task_not_found' } }]);
  }
  expect(await gateway.records()).toMatchObject([{ billing_status: 'settled', amount: '0.4' }]);
});

test('an Idempotency-Key names its first request for a day', async () => {
  const send = () =>
    gateway.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'a sail' }, { 'idempotency-key': 'k' });
  const first = await send();
  await pass(DAY_S - 60);
  expect((await send()).text).toBe(first.text);
  await pass(120);
  const anew = await send();
  expect([anew.status, anew.headers.get('idempotency-replayed')]).toEqual([200, null]);
  expect(anew.text).not.toBe(first.text);
});

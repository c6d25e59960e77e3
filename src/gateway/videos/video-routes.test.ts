import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestGateway, type TestGateway } from '../gateway.test-support.ts';

const VIDEOS = '/v1/videos';

let gateway: TestGateway;
let slow: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  slow = await startTestGateway({ latency: 'realistic' });
});
afterAll(() => Promise.all([gateway.running.close(), slow.running.close()]));

const task = z.object({ id: z.string(), status: z.string() });
const asked = { model: 'orbit-2', prompt: 'a sail' };

async function create(on: TestGateway, over: object = {}, path = VIDEOS): Promise<string> {
  return task.parse((await on.call('POST', path, { ...asked, ...over })).json).id;
}

async function completed(id: string): Promise<string> {
  await expect
    .poll(async () => (await gateway.call('GET', `${VIDEOS}/${id}`)).json)
    .toMatchObject({ status: 'completed' });
  return `${VIDEOS}/${id}/content`;
}

describe('400', () => {
  test.each([
    ['no prompt', { prompt: undefined }, "'prompt'"],
    ['n other than 1', { n: 2 }, "'n'"],
    ['no whole seconds', { seconds: '4.5' }, "'seconds'"],
    ['no time at all', { seconds: 0 }, "'seconds'"],
    ['longer than the model makes', { seconds: 13 }, "'seconds'"],
    ['a size that the model does not make', { size: '64x64' }, "'size'"],
    ['something that is no size', { size: 'large' }, "'size'"],
    ['a reference above 10 seconds', { seconds: 12, input_reference: 'x' }, 'different parameters'],
    [
      'a reference above 720p',
      { model: 'orbit-2-pro', size: '1792x1024', input_reference: 'x' },
      'different parameters',
    ],
  ])('%s', async (_what, over, words) => {
    const answer = await gateway.call('POST', VIDEOS, { ...asked, ...over });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { message: expect.stringContaining(words) } });
  });
});

test('JSON, multipart and the alias make the same task; seconds may be text, number or duration', async () => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...asked, seconds: '8' })) form.append(name, value);
  const ids = [
    await create(slow, { seconds: 8 }),
    await create(slow, { duration: '8' }, `${VIDEOS}/generations`),
    task.parse((await slow.call('POST', VIDEOS, form)).json).id,
  ];
  for (const id of ids) {
    expect((await slow.call('GET', `${VIDEOS}/${id}`)).json).toMatchObject({
      id,
      object: 'video',
      seconds: '8',
      size: '1280x720',
      error: null,
    });
  }
  expect((await slow.call('GET', '/v1/usage')).json).toMatchObject({
    pending_amount: '2.4',
    settled_amount: '0',
  });
});

test('content is the MP4, whole or in ranges', async () => {
  const path = await completed(await create(gateway));
  const whole = await gateway.call('GET', path);
  expect(whole.headers.get('content-type')).toBe('video/mp4');
  expect(whole.headers.get('accept-ranges')).toBe('bytes');
  const size = Number(whole.headers.get('content-length'));
  const part = await gateway.call('GET', path, undefined, {
    range: 'bytes=4-7',
    accept: 'application/binary',
  });
  expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
    206,
    'ftyp',
    `bytes 4-7/${size}`,
  ]);
  const beyond = await gateway.call('GET', path, undefined, { range: `bytes=${size}-` });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
});

test('a failed task is read with 200, has no content and is refunded in full', async () => {
  const id = await create(slow, { seconds: '5' });
  expect(
    (await slow.control('POST', `/tasks/${id}/fail`, { code: 'blocked', message: 'not made' })).status,
  ).toBe(200);
  expect((await slow.control('POST', `/tasks/${id}/fail`)).status).toBe(404);
  const read = await slow.call('GET', `${VIDEOS}/${id}`);
  expect([read.status, read.json]).toMatchObject([
    200,
    { status: 'failed', error: { code: 'blocked', message: 'not made' } },
  ]);
  const content = await slow.call('GET', `${VIDEOS}/${id}/content`);
  expect([content.status, content.json]).toMatchObject([400, { error: { code: 'task_failed' } }]);
  expect((await slow.records())[0]).toMatchObject({
    billing_status: 'refunded',
    amount: '0',
    reserved_amount: '0.5',
    refunded_amount: '0.5',
  });
});

test('404 for another account', async () => {
  const id = await create(slow);
  const { apiKey } = await slow.newKey();
  const headers = { authorization: `Bearer ${apiKey}` };
  expect((await slow.call('GET', `${VIDEOS}/${id}`, undefined, headers)).status).toBe(404);
  expect((await slow.call('GET', `${VIDEOS}/${id}/content`, undefined, headers)).status).toBe(404);
});

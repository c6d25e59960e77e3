import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

const VIDEOS = '/v1/videos';

let gateway: TestGateway;
let slow: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  slow = await startTestGateway({ latency: 'slow' });
});
afterAll(() => Promise.all([gateway.running.close(), slow.running.close()]));

const task = z.object({ id: z.string(), status: z.string() });
const asked = { model: 'orbit-2', prompt: 'a sail' };

async function create(on: TestGateway, over: object = {}, path = VIDEOS): Promise<string> {
  return task.parse((await on.call('POST', path, { ...asked, ...over })).json).id;
}

let only: Promise<{ path: string; bytes: Buffer; etag: string }> | null = null;

/** One completed video for all that only reads it. */
function once(): Promise<{ path: string; bytes: Buffer; etag: string }> {
  only ??= create(gateway).then(async (id) => {
    const path = await completed(id);
    const { bytes, headers } = await rawContent(path);
    return { path, bytes, etag: headers.get('etag') ?? '' };
  });
  return only;
}

async function rawContent(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { base_url, api_key } = gateway.running.ready;
  const answer = await fetch(base_url + path, {
    headers: { authorization: `Bearer ${api_key}`, ...headers },
  });
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
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
      'a reference by its parts, as multipart names them',
      { seconds: 11, 'input_reference[image_url]': 'https://x.invalid/a.png' },
      'different parameters',
    ],
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

test.each([
  ['the first bytes', { range: 'bytes=0-9' }, 206, [0, 10]],
  ['the rest', { range: 'bytes=100-' }, 206, [100, undefined]],
  ['the last bytes', { range: 'bytes=-7' }, 206, [-7, undefined]],
  ['more than there is', { range: 'bytes=10-99999999' }, 206, [10, undefined]],
  ['another case', { range: 'Bytes=0-0' }, 206, [0, 1]],
  ['several ranges, which may be ignored', { range: 'bytes=0-1,4-5' }, 200, [0, undefined]],
  ['a unit that is not known', { range: 'frames=0-1' }, 200, [0, undefined]],
  ['ends that are exchanged', { range: 'bytes=9-3' }, 200, [0, undefined]],
  ['a part of the same file', { range: 'bytes=4-7', 'if-range': 'ETAG' }, 206, [4, 8]],
  ['a part of another file', { range: 'bytes=4-7', 'if-range': '"another"' }, 200, [0, undefined]],
  [
    'a part by date',
    { range: 'bytes=4-7', 'if-range': 'Sat, 21 Nov 2026 10:00:00 GMT' },
    200,
    [0, undefined],
  ],
] as const)('range: %s', async (_what, asked, status, [from, to]) => {
  const { path, bytes, etag } = await once();
  const headers: Record<string, string> = { ...asked };
  if (headers['if-range'] === 'ETAG') headers['if-range'] = etag;
  const answer = await rawContent(path, headers);
  const wanted = bytes.subarray(from, to);
  expect([answer.status, answer.bytes.equals(wanted)]).toEqual([status, true]);
  expect(answer.headers.get('content-length')).toBe(String(wanted.length));
  const start = from < 0 ? bytes.length + from : from;
  expect(answer.headers.get('content-range')).toBe(
    status === 200 ? null : `bytes ${start}-${start + wanted.length - 1}/${bytes.length}`,
  );
});

test('a completed task has a link that works without a credential for an hour; content gives a fresh one', async () => {
  const created = await gateway.call('POST', VIDEOS, asked);
  expect(created.json).toMatchObject({ url: null });
  const path = await completed(task.parse(created.json).id);
  const read = z
    .object({ url: z.string(), completed_at: z.number() })
    .parse((await gateway.call('GET', path.replace('/content', ''))).json);
  expect(Number(new URL(read.url).searchParams.get('exp'))).toBe(read.completed_at + 3600);
  const fresh = (await rawContent(path)).headers.get('content-location') ?? '';
  for (const link of [read.url, fresh]) {
    const answer = await fetch(link, { headers: { range: 'bytes=4-7' } });
    expect([answer.status, await answer.text()]).toEqual([206, 'ftyp']);
    expect((await fetch(link.replace('1280x720', '720x1280'))).status).toBe(403);
    expect((await fetch(link.replace(/exp=\d+/, 'exp=9999999999'))).status).toBe(403);
  }
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

test('a reference within 10 seconds and 720p is taken, as JSON and as a file', async () => {
  await create(slow, { seconds: 10, input_reference: { image_url: 'https://x.invalid/a.png' } });
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...asked, seconds: '10' })) form.append(name, value);
  form.append('input_reference', new Blob(['png']), 'in.png');
  expect((await slow.call('POST', VIDEOS, form)).status).toBe(200);
  form.set('seconds', '11');
  expect((await slow.call('POST', VIDEOS, form)).status).toBe(400);
});

test('content before completion is refused with the status of the task', async () => {
  const id = await create(slow);
  const early = await slow.call('GET', `${VIDEOS}/${id}/content`);
  expect(early.headers.get('content-type')).toMatch(/^application\/json/);
  expect([early.status, early.json]).toMatchObject([
    400,
    { error: { code: 'task_not_completed', message: expect.stringMatching(/queued|in_progress/) } },
  ]);
});

test('404 for another account', async () => {
  const id = await create(slow);
  const { apiKey } = await slow.newKey();
  const headers = { authorization: `Bearer ${apiKey}` };
  expect((await slow.call('GET', `${VIDEOS}/${id}`, undefined, headers)).status).toBe(404);
  expect((await slow.call('GET', `${VIDEOS}/${id}/content`, undefined, headers)).status).toBe(404);
});

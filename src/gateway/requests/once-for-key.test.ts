import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { FAULT_HEADER } from './inject-faults.ts';

const image = { model: 'lumen-image', prompt: 'a wheel' };
const video = { model: 'orbit-2', prompt: 'a sail' };

let gateway: TestGateway;
/** Of long times: nothing ends while a test looks. */
let slow: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  slow = await startTestGateway({ latency: 'slow' });
});
afterAll(() => Promise.all([gateway.running.close(), slow.running.close()]));

const named = (name: string) => ({ 'idempotency-key': name.replaceAll(' ', '-') });

async function records(of: Answer, on: TestGateway = gateway): Promise<number> {
  const id = of.headers.get('x-request-id');
  return (await on.records()).filter(({ request_id }) => request_id === id).length;
}

describe('the same request again', () => {
  test.each([
    ['an image', '/v1/images/generations', image, '/v1/images/generations'],
    ['an edit', '/v1/images/edits', { ...image, image: 'x' }, '/v1/images/edits'],
    ['an image job', '/v1/images/generations/jobs', image, '/v1/images/generations/jobs'],
    ['an edit job', '/v1/images/edits/jobs', { ...image, image: 'x' }, '/v1/images/edits/jobs'],
    ['a video', '/v1/videos', video, '/v1/videos'],
    ['a video by its alias', '/v1/videos', video, '/v1/videos/generations'],
  ])('%s: the first answer, and one charge', async (what, path, body, again) => {
    const before = (await gateway.records()).length;
    const first = await gateway.call('POST', path, body, named(what));
    const second = await gateway.call('POST', again, { ...body }, named(what));
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    for (const name of ['x-request-id', 'request-id', 'location', 'retry-after']) {
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect([await records(first), (await gateway.records()).length - before]).toEqual([1, 1]);
  });

  test('by multipart, though its boundary is another; another file of that length is another request', async () => {
    const form = (bytes: string): FormData => {
      const made = new FormData();
      for (const [name, value] of Object.entries(image)) made.append(name, value);
      made.append('image', new Blob([bytes]), 'in.png');
      return made;
    };
    const send = (bytes: string) => gateway.call('POST', '/v1/images/edits', form(bytes), named('multipart'));
    const first = await send('abc');
    expect(first.status).toBe(200);
    expect((await send('abc')).text).toBe(first.text);
    expect(await send('abd')).toMatchObject({ status: 409 });
    expect(await records(first)).toBe(1);
  });

  test('by another key it is another request', async () => {
    const first = await gateway.call('POST', '/v1/images/generations', image, named('scope'));
    const { apiKey } = await gateway.newKey();
    const other = await gateway.call('POST', '/v1/images/generations', image, {
      ...named('scope'),
      authorization: `Bearer ${apiKey}`,
    });
    expect(other.status).toBe(200);
    expect(other.text).not.toBe(first.text);
    expect(other.headers.get('idempotency-replayed')).toBeNull();
  });

  test('without the header each is charged', async () => {
    const answers = [
      await gateway.call('POST', '/v1/videos', video),
      await gateway.call('POST', '/v1/videos', video),
    ];
    expect(answers[0]?.text).not.toBe(answers[1]?.text);
  });
});

test.each([
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/images/generations/jobs',
  '/v1/images/edits/jobs',
  '/v1/videos',
])('%s without a body is refused as without a key', async (path) => {
  const bare = await gateway.call('POST', path);
  const withKey = await gateway.call('POST', path, undefined, named(`bare ${path}`));
  expect(bare.status).toBe(400);
  expect(withKey.status).toBe(400);
});

test('a number beyond a double is refused as without a key', async () => {
  const body = '{"model": "lumen-image", "prompt": "a wheel", "n": 1e999}';
  const json = { 'content-type': 'application/json' };
  const bare = await gateway.call('POST', '/v1/images/generations', body, json);
  const withKey = await gateway.call('POST', '/v1/images/generations', body, { ...json, ...named('beyond') });
  expect([bare.status, withKey.status]).toEqual([400, 400]);
});

test.each([
  ['another body', '/v1/images/generations', { ...image, prompt: 'a boat' }],
  ['another path', '/v1/images/generations/jobs', image],
])('%s under the same key is 409 and not charged', async (what, path, body) => {
  await gateway.call('POST', '/v1/images/generations', image, named(what));
  const before = (await gateway.records()).length;
  const second = await gateway.call('POST', path, body, named(what));
  expect([second.status, second.json]).toMatchObject([409, { error: { code: 'idempotency_conflict' } }]);
  expect(await gateway.records()).toHaveLength(before);
});

test('an answer that was lost after the charge is had again without another', async () => {
  const lost = await gateway.call('POST', '/v1/videos', video, {
    ...named('lost'),
    [FAULT_HEADER]: 'http.500; charge=charged',
  });
  expect(lost.status).toBe(500);
  const before = (await gateway.records()).length;
  const again = await gateway.call('POST', '/v1/videos', video, named('lost'));
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(again.headers.get('x-request-id')).toBe(lost.headers.get('x-request-id'));
  expect([await records(again), (await gateway.records()).length]).toEqual([1, before]);
});

test('with a data directory an answer outlives a restart, and so does what it is about', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'answers-'));
  try {
    const before = await startTestGateway({ dataDir });
    const first = await before.call('POST', '/v1/images/generations/jobs', image, named('kept'));
    await before.running.close();
    const books = await readFile(join(dataDir, 'books.ndjson'), 'utf8');
    expect(books).toContain('"type":"answer"');
    expect(books).not.toContain(named('kept')['idempotency-key']);
    const after = await startTestGateway({ dataDir });
    const again = await after.call('POST', '/v1/images/generations/jobs', image, named('kept'));
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect((await after.call('GET', again.headers.get('location') ?? '')).status).toBe(200);
    const other = { ...image, prompt: 'a boat' };
    const conflict = await after.call('POST', '/v1/images/generations/jobs', other, named('kept'));
    expect(conflict.status).toBe(409);
    expect(await records(again, after)).toBe(1);
    await after.running.close();
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('what was refused leaves its key free', async () => {
  const refused = await gateway.call('POST', '/v1/videos', { ...video, seconds: 99 }, named('refused'));
  expect(refused.status).toBe(400);
  const made = await gateway.call('POST', '/v1/videos', video, named('refused'));
  expect([made.status, await records(made)]).toEqual([200, 1]);
});

test('while the first runs the second waits; once the client of the first has left, it may ask anew', async () => {
  const { base_url, api_key } = slow.running.ready;
  const before = (await slow.records()).length;
  const leaving = new AbortController();
  const first = fetch(`${base_url}/v1/images/generations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api_key}`,
      'content-type': 'application/json',
      ...named('left'),
    },
    body: JSON.stringify(image),
    signal: leaving.signal,
  }).catch(() => null);
  await expect.poll(async () => (await slow.records()).length).toBe(before + 1);
  const second = await slow.call('POST', '/v1/images/generations', image, named('left'));
  expect([second.status, second.json]).toMatchObject([409, { error: { code: 'image_submission_pending' } }]);
  expect(second.headers.get('retry-after')).toBe('1');
  expect(await slow.records()).toHaveLength(before + 1);

  leaving.abort();
  expect(await first).toBeNull();
  await expect
    .poll(async () => (await slow.records())[0])
    .toMatchObject({ result: 'cancelled', billing_status: 'refunded', amount: '0' });
  const again = await slow.call('POST', '/v1/images/generations/jobs', image, named('left'));
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, null]);
});

test.each([
  ['empty', ''],
  ['of 256 characters', 'k'.repeat(256)],
  ['not ASCII', '\u00e9'],
])('400 for a key that is %s', async (_what, name) => {
  const answer = await gateway.call('POST', '/v1/videos', video, named(name));
  expect([answer.status, answer.json]).toMatchObject([
    400,
    { error: { message: expect.stringContaining('Idempotency-Key') } },
  ]);
});

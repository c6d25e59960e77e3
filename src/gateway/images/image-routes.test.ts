import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

const GENERATIONS = '/v1/images/generations';
const EDITS = '/v1/images/edits';

let gateway: TestGateway;
/** Of long times: nothing ends while a test looks. */
let slow: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  slow = await startTestGateway({ latency: 'slow' });
});
afterAll(() => Promise.all([gateway.running.close(), slow.running.close()]));

const job = z.object({ job_id: z.string(), status: z.string(), request_id: z.string() });
const asked = { model: 'lumen-image', prompt: 'a wheel' };

describe('400', () => {
  test.each([
    ['no model', GENERATIONS, { model: undefined }, "'model'"],
    ['no prompt', GENERATIONS, { prompt: undefined }, "'prompt'"],
    ['n other than 1', GENERATIONS, { n: 2 }, "'n'"],
    ['an unknown quality', GENERATIONS, { quality: 'ultra' }, "'quality'"],
    ['an unknown response_format', GENERATIONS, { response_format: 'x' }, "'response_format'"],
    ['a size that the model does not make', GENERATIONS, { size: '64x64' }, "'size'"],
    ['a text model', GENERATIONS, { model: 'aspen' }, 'does not serve image'],
    ['an edit without image', EDITS, {}, "'image'"],
    ['a job of a model without jobs', `${GENERATIONS}/jobs`, { model: 'nimbus-sync-only' }, 'synchronous'],
  ])('%s', async (_what, path, over, words) => {
    const answer = await gateway.call('POST', path, { ...asked, ...over });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { message: expect.stringContaining(words) } });
  });
});

test('only the asked field is filled', async () => {
  const linked = await gateway.call('POST', GENERATIONS, asked);
  expect(linked.json).toMatchObject({ created: expect.any(Number), data: [{ url: expect.any(String) }] });
  expect(linked.text).not.toContain('b64_json');
  const inline = await gateway.call('POST', GENERATIONS, { ...asked, response_format: 'b64_json' });
  expect(inline.text).not.toContain('"url"');
});

test('size and quality are those asked for, and their price is charged', async () => {
  const answer = await gateway.call('POST', GENERATIONS, {
    ...asked,
    size: '1536x1024',
    quality: 'low',
    n: null,
    moderation: 'low',
  });
  expect(answer.json).toMatchObject({ size: '1536x1024', quality: 'low', output_format: 'png' });
  expect((await gateway.records())[0]).toMatchObject({ amount: '0.016', result: 'completed' });
  const auto = await gateway.call('POST', GENERATIONS, { ...asked, size: 'auto', quality: 'auto' });
  expect(auto.json).toMatchObject({ size: '1024x1024', quality: 'auto' });
});

test('a route that is not supported is refused for good and for nothing; the synchronous one works', async () => {
  const before = (await gateway.records()).length;
  const syncOnly = { ...asked, model: 'nimbus-sync-only' };
  for (const path of [`${GENERATIONS}/jobs`, `${EDITS}/jobs`, `${GENERATIONS}/jobs`]) {
    const answer = await gateway.call('POST', path, { ...syncOnly, image: 'x' });
    expect([answer.status, answer.json]).toMatchObject([400, { error: { code: 'unsupported_route' } }]);
    expect(answer.headers.get('retry-after')).toBeNull();
  }
  expect(await gateway.records()).toHaveLength(before);
  expect((await gateway.call('POST', GENERATIONS, syncOnly)).status).toBe(200);
});

test('a link is good for an hour', async () => {
  const answer = await gateway.call('POST', GENERATIONS, asked);
  const { created, data } = z
    .object({ created: z.number(), data: z.tuple([z.object({ url: z.string() })]) })
    .parse(answer.json);
  const left_s = Number(new URL(data[0].url).searchParams.get('exp')) - created;
  expect(left_s).toBeGreaterThanOrEqual(3600);
  expect(left_s).toBeLessThan(3660);
});

test('edits take JSON with a string image and multipart with a file', async () => {
  const json = await gateway.call('POST', EDITS, { ...asked, image: 'data:image/png;base64,AAAA' });
  expect(json.status).toBe(200);
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...asked, n: '1', quality: 'high' })) form.append(name, value);
  form.append('image', new Blob(['png']), 'in.png');
  expect((await gateway.call('POST', EDITS, form)).status).toBe(200);
  expect((await gateway.records())[0]).toMatchObject({ amount: '0.167' });
});

test('multipart without its file, with an empty one, or broken, is 400', async () => {
  const without = new FormData();
  for (const [name, value] of Object.entries(asked)) without.append(name, value);
  expect((await gateway.call('POST', EDITS, without)).status).toBe(400);
  without.append('image', new Blob([]), 'in.png');
  expect((await gateway.call('POST', EDITS, without)).status).toBe(400);
  const broken = await gateway.call('POST', EDITS, 'no parts', {
    'content-type': 'multipart/form-data; boundary=b',
  });
  expect(broken.status).toBe(400);
});

describe('jobs', () => {
  test('202 with a place to poll, then completed, then the result in either form', async () => {
    const submitted = await gateway.call('POST', `${GENERATIONS}/jobs`, asked);
    expect(submitted.status).toBe(202);
    const { job_id, status, request_id } = job.parse(submitted.json);
    expect(status).toBe('queued');
    expect(submitted.headers.get('location')).toBe(`/v1/images/jobs/${job_id}`);
    expect(submitted.headers.get('retry-after')).toBe('1');
    expect(request_id).toBe(submitted.headers.get('x-request-id'));
    const path = `/v1/images/jobs/${job_id}`;
    await expect
      .poll(async () => (await gateway.call('GET', path)).json)
      .toMatchObject({
        job_id,
        object: 'image.job',
        kind: 'generation',
        status: 'completed',
        progress: 100,
        error: null,
      });
    expect((await gateway.call('GET', `${path}/result`)).json).toMatchObject({
      data: [{ url: expect.any(String) }],
    });
    const inline = await gateway.call('GET', `${path}/result?response_format=b64_json`);
    expect(inline.json).toMatchObject({ data: [{ b64_json: expect.any(String) }] });
    expect((await gateway.call('GET', `${path}/result?response_format=gif`)).status).toBe(400);
    const record = (await gateway.records()).find((candidate) => candidate.request_id === request_id);
    expect(record).toMatchObject({ billing_status: 'settled', amount: '0.042', refunded_amount: '0' });
  });

  test('an edit by multipart is a job too, and its format at submission holds for the result', async () => {
    const form = new FormData();
    const fields = { ...asked, response_format: 'b64_json' };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('image[]', new Blob(['one']), 'a.png');
    form.append('image[]', new Blob(['two']), 'b.png');
    const submitted = await gateway.call('POST', `${EDITS}/jobs`, form);
    expect([submitted.status, submitted.json]).toMatchObject([202, { kind: 'edit', error: null }]);
    const path = `/v1/images/jobs/${job.parse(submitted.json).job_id}`;
    await expect
      .poll(async () => (await gateway.call('GET', path)).json)
      .toMatchObject({ status: 'completed', progress: 100 });
    const held = await gateway.call('GET', `${path}/result`);
    expect(held.text).toContain('b64_json');
    expect(held.text).not.toContain('"url"');
    const linked = await gateway.call('GET', `${path}/result?response_format=url`);
    expect(linked.text).toContain('"url"');
    expect(linked.text).not.toContain('b64_json');
  });

  test('a result before completion is 409; the full price is held meanwhile', async () => {
    const { job_id } = job.parse((await slow.call('POST', `${EDITS}/jobs`, { ...asked, image: 'x' })).json);
    const early = await slow.call('GET', `/v1/images/jobs/${job_id}/result`);
    expect(early.status).toBe(409);
    expect(early.json).toMatchObject({ error: { code: 'job_not_completed' } });
    const totals = await slow.call('GET', '/v1/usage');
    expect(totals.json).toMatchObject({ settled_amount: '0', pending_amount: '0.042', records: 1 });
  });

  test('a failed job is read with 200, has no result and is refunded', async () => {
    const { job_id, request_id } = job.parse((await slow.call('POST', `${GENERATIONS}/jobs`, asked)).json);
    const error = { code: 'blocked', message: 'not made' };
    expect((await slow.control('POST', `/tasks/${job_id}/fail`, error)).status).toBe(200);
    const read = await slow.call('GET', `/v1/images/jobs/${job_id}`);
    expect(read.status).toBe(200);
    expect(read.json).toMatchObject({ status: 'failed', error });
    const result = await slow.call('GET', `/v1/images/jobs/${job_id}/result`);
    expect([result.status, result.json]).toMatchObject([409, { error: { code: 'job_failed' } }]);
    const record = (await slow.records()).find((candidate) => candidate.request_id === request_id);
    expect(record).toMatchObject({
      billing_status: 'refunded',
      result: 'failed',
      amount: '0',
      reserved_amount: '0.042',
      refunded_amount: '0.042',
    });
  });

  test('404 for an unknown job and for one of another account, but not for another key of the account', async () => {
    const { job_id } = job.parse((await slow.call('POST', `${GENERATIONS}/jobs`, asked)).json);
    const stranger = await slow.newKey();
    const sibling = z
      .object({ api_key: z.string() })
      .parse((await slow.control('POST', '/keys', { user_id: slow.running.ready.user_id })).json);
    const status = async (id: string, key: string) =>
      (await slow.call('GET', `/v1/images/jobs/${id}`, undefined, { authorization: `Bearer ${key}` })).status;
    expect(await status('imgjob_none', sibling.api_key)).toBe(404);
    expect(await status(job_id, stranger.apiKey)).toBe(404);
    expect(await status(job_id, sibling.api_key)).toBe(200);
  });
});

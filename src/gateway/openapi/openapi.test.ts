import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { API_DATE } from '../http/api-date.ts';
import { errorFormOf } from '../http/error-answer.ts';
import { type Answer, chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { accountError, messagesError, modelError } from './answers/error-answers.ts';
import { OPERATIONS } from './named-schemas.ts';
import { openapiDocument } from './openapi-document.ts';
import type { Operation } from './operation.ts';
import { methodOf } from './operation.ts';

const ERROR_SCHEMAS = { model: modelError, messages: messagesError, account: accountError };

let gateway: TestGateway;
/** `METHOD /path/:name` of every route of each app that was made. */
const routesOf: string[][] = [];

beforeAll(async () => {
  subscribe('fastify.initialization', listen);
  gateway = await startTestGateway();
  unsubscribe('fastify.initialization', listen);
});
afterAll(() => gateway.running.close());

function listen(message: unknown): void {
  const made: string[] = [];
  routesOf.push(made);
  const { fastify } = z
    .object({ fastify: z.custom<FastifyInstance>((app) => app !== null && typeof app === 'object') })
    .parse(message);
  fastify.addHook('onRoute', ({ method, url }) => {
    made.push(...[method].flat().map((one) => `${one} ${url}`));
  });
}

function operation(id: string): Operation {
  const found = OPERATIONS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

/** Fails unless the description knows this answer of the operation: status, media type and every field. */
function expectDescribed(id: string, { status, headers, text, json }: Answer): void {
  const { answers, errors, path } = operation(id);
  const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
  if (errors.includes(status)) {
    expect(type).toBe('application/json');
    ERROR_SCHEMAS[errorFormOf(path)].parse(json);
    return;
  }
  const answer = answers[status];
  if (answer === undefined) throw new Error(`${id} answered ${status}, which is not described: ${text}`);
  for (const name of answer.headers ?? []) {
    if (name !== 'idempotency-replayed') expect(headers.has(name), name).toBe(true);
  }
  if (answer.content === null) {
    expect(text).toBe('');
    return;
  }
  const schema = new Map(Object.entries(answer.content)).get(type);
  if (schema === undefined) throw new Error(`${id} answered ${type}, which is not described`);
  if (type === 'text/event-stream') expectEvents(answer, text);
  else if (schema !== 'file') schema.parse(json);
}

function expectEvents({ events }: Operation['answers'][number], text: string): void {
  if (events === undefined) throw new Error('the events of a stream are not described');
  const parts = text.split('\n\n').filter((part) => part !== '' && !part.startsWith(':'));
  expect(parts.length).toBeGreaterThan(2);
  if (events.end !== undefined) expect(parts.pop()).toBe(`data: ${events.end}`);
  for (const part of parts) {
    const { type } = z.looseObject({ type: z.string().optional() }).parse(events.data.parse(dataOf(part)));
    if (events.named) expect(part.split('\n')[0]).toBe(`event: ${type}`);
  }
}

function dataOf(event: string): unknown {
  const line = event.split('\n').find((one) => one.startsWith('data: ')) ?? '';
  return JSON.parse(line.slice('data: '.length));
}

/** Decision 0028: served beside the interface, which alone is described. */
const BESIDE = ['GET /v1/models/*', 'HEAD /v1/models/*', 'POST /v1/completions', 'POST /v1/embeddings'];

describe('the description', () => {
  test('has every route of the service and no other', () => {
    const served = routesOf.find((routes) => routes.includes('GET /v1/models')) ?? [];
    const described = OPERATIONS.map(
      (one) => `${methodOf(one).toUpperCase()} ${one.path.replace(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(served.filter((route) => !route.startsWith('HEAD ') && !BESIDE.includes(route)).sort()).toEqual(
      described.sort(),
    );
    // HEAD beside each GET is said once for all.
    expect(served.filter((route) => route.startsWith('HEAD ') && !BESIDE.includes(route)).length).toBe(
      OPERATIONS.filter((one) => methodOf(one) === 'get').length,
    );
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
  });

  test('is served as it is committed, with the address that was asked', async () => {
    const path = new URL('../../../docs/openapi.json', import.meta.url);
    const committed = z.looseObject({}).parse(JSON.parse(readFileSync(path, 'utf8')));
    const served = await gateway.call('GET', '/openapi.json', undefined, { authorization: null });
    expect(served.json).toEqual({ ...committed, servers: [{ url: gateway.running.ready.base_url }] });
  });

  test('carries its date, which the service tells too', async () => {
    expect(API_DATE).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(openapiDocument('')).toMatchObject({ openapi: '3.1.1', info: { version: API_DATE } });
    const { headers } = await gateway.call('POST', '/v1/messages', {});
    expect(headers.get('x-api-version')).toBe(API_DATE);
  });

  test('points at nothing that is not there', () => {
    const components = z.looseObject({
      components: z.looseObject({
        schemas: z.record(z.string(), z.unknown()),
        responses: z.record(z.string(), z.unknown()),
      }),
    });
    const document = openapiDocument('');
    const { schemas, responses } = components.parse(document).components;
    const there = new Set([
      ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(responses).map((name) => `#/components/responses/${name}`),
    ]);
    const pointers = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to ?? '');
    expect(pointers.filter((to) => !there.has(to))).toEqual([]);
    expect(new Set(pointers)).toEqual(there);
  });
});

const image = { model: 'lumen-image-mini', prompt: 'a lighthouse' };
const video = { model: 'quartz-lite:i2v', prompt: 'a lighthouse', seconds: '1', size: '854x480' };
const messages = [{ role: 'user', content: 'hello' }];
const anonymous = { authorization: null };

/** Id of the operation, what is sent, the status that comes. */
const CALLS: readonly (readonly [
  id: string,
  status: number,
  path: string,
  body?: unknown,
  headers?: Record<string, string | null>,
])[] = [
  ['listModels', 200, '/v1/models'],
  ['listModels', 401, '/v1/models', undefined, { authorization: 'Bearer sk-none' }],
  ['listModels', 403, '/v1/models', undefined, { authorization: 'Bearer sk-site2-x' }],
  ['readPricebook', 200, '/pricing.usd.json'],
  ['readDescription', 200, '/openapi.json'],
  ['createChatCompletion', 200, '/v1/chat/completions', chatBody()],
  ['createChatCompletion', 200, '/v1/chat/completions', chatBody({ max_tokens: 1 })],
  ['createChatCompletion', 200, '/v1/chat/completions', chatBody({ stream: true })],
  [
    'createChatCompletion',
    200,
    '/v1/chat/completions',
    chatBody({ stream: true, stream_options: { include_usage: true } }),
  ],
  ['createChatCompletion', 400, '/v1/chat/completions', {}],
  ['createChatCompletion', 401, '/v1/chat/completions', chatBody(), anonymous],
  ['createChatCompletion', 404, '/v1/chat/completions', chatBody({ model: 'none' })],
  ['createResponse', 200, '/v1/responses', { model: 'aspen', input: 'x' }],
  ['createResponse', 200, '/v1/responses', { model: 'aspen', input: 'x', max_output_tokens: 1 }],
  ['createResponse', 200, '/v1/responses', { model: 'aspen', input: 'x', stream: true }],
  [
    'createResponse',
    200,
    '/v1/responses',
    { model: 'aspen', input: 'x', stream: true, max_output_tokens: 1 },
  ],
  ['createResponse', 400, '/v1/responses', { model: 'aspen', input: 5 }],
  ['createMessage', 200, '/v1/messages', { model: 'cedar-haiku', messages, max_tokens: 50 }],
  ['createMessage', 200, '/v1/messages', { model: 'cedar-haiku', messages, max_tokens: 50, stream: true }],
  ['createMessage', 400, '/v1/messages', { model: 'cedar-haiku', messages }],
  [
    'createMessage',
    400,
    '/v1/messages',
    { model: 'cedar-haiku', messages, max_tokens: 1 },
    { 'anthropic-version': 'x' },
  ],
  ['createMessage', 404, '/v1/messages', { model: 'none', messages, max_tokens: 1 }],
  ['generateImage', 200, '/v1/images/generations', image],
  ['generateImage', 200, '/v1/images/generations', { ...image, response_format: 'b64_json', size: 'auto' }],
  ['generateImage', 400, '/v1/images/generations', { ...image, n: 2 }],
  ['editImage', 200, '/v1/images/edits', { ...image, image: 'x' }],
  ['editImage', 400, '/v1/images/edits', image],
  ['submitImageGeneration', 202, '/v1/images/generations/jobs', image],
  ['submitImageGeneration', 400, '/v1/images/generations/jobs', { model: 'nimbus-sync-only', prompt: 'x' }],
  ['submitImageEdit', 202, '/v1/images/edits/jobs', { ...image, image: 'x' }],
  ['readImageJob', 404, '/v1/images/jobs/none'],
  ['readImageJobResult', 400, '/v1/images/jobs/none/result?response_format=gif'],
  ['readImageFile', 403, '/files/images/1x1/a.png?exp=1&sig=x'],
  ['createVideo', 200, '/v1/videos', video],
  ['createVideo', 400, '/v1/videos', { ...video, size: '1x1' }],
  ['createVideoGeneration', 200, '/v1/videos/generations', video],
  ['readVideo', 404, '/v1/videos/none'],
  ['readVideoContent', 404, '/v1/videos/none/content'],
  ['readVideoFile', 403, '/files/videos/854x480/1/a.mp4?exp=1&sig=x'],
  ['readUsage', 200, '/v1/usage'],
  ['readUsage', 200, '/v1/usage?end_time=9223372036854775807'],
  ['readUsage', 400, '/v1/usage?start_time=x'],
  ['listUsageRequests', 200, '/v1/usage/requests?limit=200'],
  ['listUsageRequests', 400, '/v1/usage/requests?limit=0'],
  ['readAccount', 401, '/api/user/self'],
];

describe('answers are as described, with no field beyond', () => {
  const named = CALLS.map(([id, status, path, body, headers]) => ({ id, status, path, body, headers }));
  test.each(named)('$id: $status', async ({ id, status, path, body, headers }) => {
    const answer = await gateway.call(methodOf(operation(id)).toUpperCase(), path, body, headers);
    expect(answer.status, answer.text).toBe(status);
    expectDescribed(id, answer);
  });

  test('readPricebook: 304', async () => {
    const { headers } = await gateway.call('GET', '/pricing.usd.json');
    const known = { 'if-none-match': headers.get('etag') };
    expectDescribed('readPricebook', await gateway.call('GET', '/pricing.usd.json', undefined, known));
  });

  test('readAccount: 200', async () => {
    const { access_token, user_id } = gateway.running.ready;
    const own = { authorization: `Bearer ${access_token}`, 'new-api-user': String(user_id) };
    const answer = await gateway.call('GET', '/api/user/self', undefined, own);
    expect(answer.status).toBe(200);
    expectDescribed('readAccount', answer);
  });

  test('402 without credit, 403 of a blocked key, 429 above the limits, in the form of the path', async () => {
    const cases = [
      [402, { balance_usd: '0' }],
      [403, { key: { blocked: true } }],
      [429, { key: { rate: { requests: 1, per_ms: 600_000, concurrent: 1 } } }],
    ] as const;
    for (const [status, wanted] of cases) {
      for (const [id, path, body] of [
        ['createChatCompletion', '/v1/chat/completions', chatBody()],
        ['createMessage', '/v1/messages', { model: 'cedar-haiku', messages, max_tokens: 5 }],
        ['createVideo', '/v1/videos', video],
      ] as const) {
        const { apiKey } = await gateway.newKey(wanted);
        const own = { authorization: `Bearer ${apiKey}` };
        if (status === 429) await gateway.call('POST', path, body, own);
        const answer = await gateway.call('POST', path, body, own);
        expect([id, answer.status]).toEqual([id, status]);
        expectDescribed(id, answer);
      }
    }
  });

  const madeJob = z.object({ job_id: z.string() });
  const madeVideo = z.object({ id: z.string() });
  const seen = z.object({ status: z.string() });

  /** Reads until the task has ended; every answer on the way must be described. */
  async function untilEnded(id: string, path: string): Promise<string> {
    for (let round = 0; round < 2000; round += 1) {
      const answer = await gateway.call('GET', path);
      expectDescribed(id, answer);
      const { status } = seen.parse(answer.json);
      if (status === 'completed' || status === 'failed') return status;
    }
    return 'not ended';
  }

  test('an image job from submission to the file behind its link', async () => {
    const submitted = await gateway.call('POST', '/v1/images/generations/jobs', image);
    const path = `/v1/images/jobs/${madeJob.parse(submitted.json).job_id}`;
    const early = await gateway.call('GET', `${path}/result`);
    expect([200, 409]).toContain(early.status);
    expectDescribed('readImageJobResult', early);
    expect(await untilEnded('readImageJob', path)).toBe('completed');
    const result = await gateway.call('GET', `${path}/result?response_format=url`);
    expect(result.status).toBe(200);
    expectDescribed('readImageJobResult', result);
    const [item] = z.object({ data: z.array(z.object({ url: z.url() })) }).parse(result.json).data;
    const { pathname, search } = new URL(item?.url ?? '');
    const file = await gateway.call('GET', pathname + search, undefined, anonymous);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
    expectDescribed('readImageFile', file);
  });

  test('a failed job', async () => {
    const submitted = await gateway.call('POST', '/v1/images/generations/jobs', image);
    const { job_id } = madeJob.parse(submitted.json);
    await gateway.control('POST', `/tasks/${job_id}/fail`, { code: 'x', message: 'y' });
    const status = await untilEnded('readImageJob', `/v1/images/jobs/${job_id}`);
    const result = await gateway.call('GET', `/v1/images/jobs/${job_id}/result`);
    expect([status, result.status]).toEqual(['failed', 409]);
    expectDescribed('readImageJobResult', result);
  });

  test('a video from creation to its file, whole and in part', async () => {
    const { id } = madeVideo.parse((await gateway.call('POST', '/v1/videos', video)).json);
    expect(await untilEnded('readVideo', `/v1/videos/${id}`)).toBe('completed');
    for (const [range, status] of [
      [null, 200],
      ['bytes=0-9', 206],
      ['bytes=999999999-', 416],
    ] as const) {
      const part = await gateway.call('GET', `/v1/videos/${id}/content`, undefined, { range });
      expect(part.status).toBe(status);
      expectDescribed('readVideoContent', part);
    }
    const { url } = z.object({ url: z.url() }).parse((await gateway.call('GET', `/v1/videos/${id}`)).json);
    const { pathname, search } = new URL(url);
    const file = await gateway.call('GET', pathname + search, undefined, anonymous);
    expect(file.status).toBe(200);
    expectDescribed('readVideoFile', file);
  });

  test('a page that is not the last one, and totals with everything that was done here', async () => {
    const page = await gateway.call('GET', '/v1/usage/requests?limit=1');
    expect(page.json).toMatchObject({ has_more: true, next_cursor: expect.stringMatching(/./) });
    expectDescribed('listUsageRequests', page);
    const totals = await gateway.call('GET', '/v1/usage');
    expect(totals.json).toMatchObject({ by_model: expect.arrayContaining([expect.anything()]) });
    expectDescribed('readUsage', totals);
  });

  test('every operation was asked for a success', () => {
    const asked = new Set(CALLS.filter(([, status]) => status < 300).map(([id]) => id));
    const byTests = ['readImageJob', 'readImageJobResult', 'readImageFile', 'readVideo', 'readVideoContent'];
    for (const id of [...byTests, 'readVideoFile', 'readAccount']) asked.add(id);
    expect([...asked].sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
  });
});

import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type SdkBench, startBench } from './clients.ts';
import { collect } from './collect.ts';

let bench: SdkBench;

beforeAll(async () => {
  // Realistic times: a video cannot be finished before it is asked for.
  bench = await startBench({ latency: 'realistic' });
});
afterAll(() => bench.gateway.close());

const made = z.object({ api_key: z.string() });
const account = z.object({ user_id: z.number() });

async function keyOf(wanted: {
  balance_usd?: string;
  blocked?: boolean;
  site?: number;
  models?: string[];
}): Promise<string> {
  const { balance_usd = '1', ...key } = wanted;
  const { user_id } = account.parse(await bench.control('POST', '/accounts', { balance_usd }));
  return made.parse(await bench.control('POST', '/keys', { user_id, ...key })).api_key;
}

function chat(openai: OpenAI, model = 'aspen-mini', max_tokens = 4096): Promise<unknown> {
  return openai.chat.completions.create({ model, max_tokens, messages: [{ role: 'user', content: 'hi' }] });
}

async function errorOf(call: Promise<unknown>): Promise<APIError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof APIError)) throw new Error(`expected an APIError, got ${error}`);
  return error;
}

test('401 for an unknown key: empty code, message ends with the request id of the headers', async () => {
  const error = await errorOf(chat(bench.withKey('sk-unknown').openai));
  expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
  expect(error.code).toBe('');
  expect(error.message.endsWith(`(request id: ${error.requestID})`)).toBe(true);
});

test('401 for the system access token on a model call', async () => {
  const error = await errorOf(chat(bench.withKey(bench.gateway.ready.access_token).openai));
  expect(error.status).toBe(401);
});

test('404 model_not_found names the model, on each kind of route', async () => {
  const { openai } = bench;
  for (const call of [
    chat(openai, 'no-such/model'),
    openai.responses.create({ model: 'no-such/model', input: 'x' }),
    openai.images.generate({ model: 'no-such/model', prompt: 'x' }),
    openai.videos.create({ model: 'no-such/model', prompt: 'x' }),
  ]) {
    const error = await errorOf(call);
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error.code).toBe('model_not_found');
    expect(error.type).toBe('invalid_request_error');
    expect(error.message).toContain('no-such/model');
  }
});

test('404 for a model outside the set of the key, which the model list leaves out', async () => {
  const { openai } = bench.withKey(await keyOf({ models: ['aspen'] }));
  expect((await errorOf(chat(openai))).code).toBe('model_not_found');
  expect((await collect(openai.models.list())).map(({ id }) => id)).toEqual(['aspen']);
});

test('400 for a request that breaks a rule', async () => {
  const { openai } = bench;
  const error = await errorOf(openai.images.generate({ model: 'lumen-image', prompt: 'x', n: 2 }));
  expect(error).toBeInstanceOf(OpenAI.BadRequestError);
  expect(error.message).toContain("'n'");
});

test('402 without credit, 403 when the estimate does not fit; both insufficient_user_quota with the balance', async () => {
  const empty = await errorOf(chat(bench.withKey(await keyOf({ balance_usd: '0' })).openai));
  expect([empty.status, empty.code]).toEqual([402, 'insufficient_user_quota']);
  const small = await errorOf(chat(bench.withKey(await keyOf({ balance_usd: '0.0001' })).openai));
  expect(small).toBeInstanceOf(OpenAI.PermissionDeniedError);
  expect(small.code).toBe('insufficient_user_quota');
  expect(small.message).toContain('$0.0001');
});

test('403 for a blocked key and for a key of the other site', async () => {
  const blocked = await errorOf(chat(bench.withKey(await keyOf({ blocked: true })).openai));
  expect([blocked.status, blocked.code]).toEqual([403, 'access_denied']);
  const foreign = await errorOf(chat(bench.withKey(await keyOf({ site: 2 })).openai));
  expect([foreign.status, foreign.code]).toEqual([403, 'key_site_mismatch']);
});

test('the messages client reads status, type, code and request id', async () => {
  const request = { model: 'no-such', max_tokens: 5, messages: [{ role: 'user' as const, content: 'x' }] };
  const error: unknown = await bench.anthropic.messages.create(request).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Anthropic.NotFoundError);
  expect(error).toMatchObject({
    type: 'invalid_request_error',
    error: { type: 'error', error: { code: 'model_not_found' } },
    requestID: expect.stringMatching(/^\d{20}\w{8}$/),
  });
});

test('video content before completion is refused, and an unknown task is 404', async () => {
  const { openai } = bench;
  const task = await openai.videos.create({ model: 'orbit-2', prompt: 'x' });
  const early = await errorOf(openai.videos.downloadContent(task.id));
  expect([early.status, early.code]).toEqual([400, 'task_not_completed']);
  expect((await errorOf(openai.videos.retrieve('video_none'))).code).toBe('task_not_found');
});

import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { latencyOf } from '../latency/latency-preset.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { FLAG_QUIRKS, quirkLines, readQuirks, VALUE_QUIRKS } from './quirks.ts';
import { quirkyLatency } from './quirky-parts.ts';

const CHAT = '/v1/chat/completions';
const NO_KEY = { authorization: null };

async function plain(list = ''): Promise<TestGateway> {
  const gateway = await startTestGateway({ quirks: readQuirks(list) });
  onTestFinished(() => gateway.running.close());
  return gateway;
}

async function stream(gateway: TestGateway, over: object = {}): Promise<string> {
  return (await gateway.call('POST', CHAT, chatBody({ stream: true, ...over }), NO_KEY)).text;
}

test('without a quirk it serves text to anyone, and has no bill', async () => {
  const gateway = await plain();
  for (const [path, body] of [
    [CHAT, chatBody()],
    ['/v1/completions', { model: 'aspen', prompt: 'x' }],
    ['/v1/embeddings', { model: 'aspen', input: 'x' }],
  ] as const) {
    const answer = await gateway.call('POST', path, body, NO_KEY);
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.stringContaining('"usage"')]);
  }
  const listed = z.object({ object: z.literal('list'), data: z.array(z.object({ id: z.string() })) });
  const { data } = listed.parse((await gateway.call('GET', '/v1/models', undefined, NO_KEY)).json);
  expect(data.map(({ id }) => id)).toContain('aspen');
  expect(data.map(({ id }) => id)).not.toContain('lumen-image-mini');
  for (const path of ['/v1/usage', '/v1/usage/requests', '/api/user/self', '/pricing.usd.json'])
    expect([path, (await gateway.call('GET', path)).status]).toEqual([path, 404]);
  const text = await stream(gateway);
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
  expect(text).not.toContain('"usage"');
  expect(text).not.toContain('reasoning_content');
});

test('no-stream-options refuses them as old vLLM does', async () => {
  const gateway = await plain('no-stream-options');
  const body = chatBody({ stream: true, stream_options: { include_usage: true } });
  const answer = await gateway.call('POST', CHAT, body, NO_KEY);
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ object: 'error', type: 'BadRequestError', code: 400 });
  expect(answer.text).toContain('extra_forbidden');
  expect(answer.text).toContain('stream_options');
  expect(await stream(gateway)).toContain('[DONE]');
});

test('no-done ends a stream without [DONE]', async () => {
  const text = await stream(await plain('no-done'));
  expect(text).not.toContain('[DONE]');
  expect(text).toMatch(/"finish_reason":"stop"[^\n]*\n\n$/);
});

test('needs-key takes the key of the ready line alone', async () => {
  const gateway = await plain('needs-key');
  expect((await gateway.call('POST', CHAT, chatBody(), NO_KEY)).status).toBe(401);
  expect((await gateway.call('POST', CHAT, chatBody(), { authorization: 'Bearer x' })).status).toBe(401);
  expect((await gateway.call('POST', CHAT, chatBody())).status).toBe(200);
});

test('base-path serves below another base, and nowhere else', async () => {
  const gateway = await plain('base-path=/v1beta/openai');
  expect(gateway.running.ready.base_url).toMatch(/:\d+\/v1beta\/openai$/);
  const root = new URL(gateway.running.ready.base_url).origin;
  const status = async (path: string): Promise<number> => (await fetch(root + path)).status;
  expect(await status('/v1beta/openai/models')).toBe(200);
  expect(await status('/v1/models')).toBe(404);
  expect((await gateway.call('POST', '/chat/completions', chatBody(), NO_KEY)).status).toBe(200);
});

test('models-array lists them bare, one model stays an object', async () => {
  const gateway = await plain('models-array');
  expect(
    z.array(z.object({ id: z.string() })).parse((await gateway.call('GET', '/v1/models')).json),
  ).not.toEqual([]);
  expect((await gateway.call('GET', '/v1/models/aspen')).json).toMatchObject({
    id: 'aspen',
    object: 'model',
  });
});

test('no-models has neither the list nor one of them', async () => {
  const gateway = await plain('no-models');
  expect((await gateway.call('GET', '/v1/models')).status).toBe(404);
  expect((await gateway.call('GET', '/v1/models/aspen')).status).toBe(404);
  expect((await gateway.call('POST', CHAT, chatBody(), NO_KEY)).status).toBe(200);
});

test.each([
  ['max-completion-tokens-only', 'max_tokens', 'max_completion_tokens'],
  ['max-tokens-only', 'max_completion_tokens', 'max_tokens'],
])('%s refuses the other limit and names the right one', async (quirk, wrong, right) => {
  const gateway = await plain(quirk);
  const refused = await gateway.call('POST', CHAT, chatBody({ [wrong]: 5 }), NO_KEY);
  expect([refused.status, refused.json]).toMatchObject([400, { error: { param: wrong } }]);
  expect(refused.text).toContain(`Use '${right}' instead`);
  expect((await gateway.call('POST', CHAT, chatBody({ [right]: 5 }), NO_KEY)).status).toBe(200);
  const completion = { model: 'aspen', prompt: 'x', max_tokens: 5 };
  expect((await gateway.call('POST', '/v1/completions', completion, NO_KEY)).status).toBe(200);
});

test('no-usage tells none, asked or not', async () => {
  const gateway = await plain('no-usage');
  expect((await gateway.call('POST', CHAT, chatBody(), NO_KEY)).text).not.toContain('usage');
  const embedding = { model: 'aspen', input: 'x' };
  expect((await gateway.call('POST', '/v1/embeddings', embedding, NO_KEY)).text).not.toContain('usage');
  expect(await stream(gateway, { stream_options: { include_usage: true } })).not.toContain('usage');
});

test('usage-always tells it unasked', async () => {
  expect(await stream(await plain('usage-always'))).toMatch(
    /"choices":\[\],"usage":[^\n]*\n\ndata: \[DONE\]/,
  );
});

test('reasoning-content comes before the content', async () => {
  const gateway = await plain('reasoning-content');
  const text = await stream(gateway);
  expect(text.indexOf('reasoning_content')).toBeGreaterThan(0);
  expect(text.indexOf('reasoning_content')).toBeLessThan(text.search(/"content":"[^"]/));
  const whole = await gateway.call('POST', CHAT, chatBody(), NO_KEY);
  expect(whole.json).toMatchObject({ choices: [{ message: { reasoning_content: expect.any(String) } }] });
});

test('refuse-all answers each path with its status and its words', async () => {
  const gateway = await plain('refuse-all=503');
  for (const path of ['/v1/models', '/nowhere']) {
    const answer = await gateway.call('GET', path);
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('refuses every request')]);
  }
});

test('slow-first-token makes the first token late and leaves the gaps', () => {
  const fast = latencyOf('fast');
  const slow = quirkyLatency(fast, readQuirks('slow-first-token=700'));
  expect(slow).toEqual({ ...fast, ttft: { kind: 'fixed', ms: 700 } });
});

test.each([
  ['no-don', 'did you mean no-done?'],
  ['no-done=1', 'without a value'],
  ['base-path', 'base-path=/PATH'],
  ['base-path=v1', 'base-path=/PATH'],
  ['refuse-all=200', 'refuse-all=STATUS'],
  ['no-usage,usage-always', 'found both'],
])('%s is refused', (list, words) => {
  expect(() => readQuirks(list)).toThrow(words);
});

test('help has a line for each quirk', () => {
  expect(quirkLines()).toHaveLength(Object.keys(FLAG_QUIRKS).length + Object.keys(VALUE_QUIRKS).length);
});

import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { LatencyModel } from '../latency/latency-model.ts';
import { latencyOf } from '../latency/latency-preset.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

const PATHS = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' } as const;

function body(format: keyof typeof PATHS, over: object): object {
  const messages = [{ role: 'user', content: 'x' }];
  const base = { model: 'aspen-mini', max_tokens: 1 };
  return format === 'responses' ? { model: base.model, input: 'x', ...over } : { ...base, messages, ...over };
}

describe('400', () => {
  test.each<[keyof typeof PATHS, object, string]>([
    ['chat', { model: undefined }, "'model'"],
    ['chat', { model: 5 }, "'model'"],
    ['chat', { messages: undefined }, "'messages'"],
    ['chat', { messages: [] }, "'messages'"],
    ['chat', { messages: [{ role: 'user' }] }, "'messages.0.content'"],
    ['chat', { messages: [{ content: 'x' }] }, "'messages.0.role'"],
    ['chat', { stream: 'true' }, "'stream'"],
    ['chat', { max_tokens: 0 }, "'max_tokens'"],
    ['chat', { max_tokens: 16_385 }, 'above the 16384'],
    ['chat', { n: 2 }, "'n'"],
    ['responses', { input: undefined }, "'input'"],
    ['responses', { input: 5 }, "'input'"],
    ['responses', { max_output_tokens: 0.5 }, "'max_output_tokens'"],
    ['messages', { max_tokens: undefined }, "'max_tokens'"],
    ['messages', { max_tokens: 0 }, "'max_tokens'"],
    ['messages', { max_tokens: '5' }, "'max_tokens'"],
    ['messages', { max_tokens: 1.5 }, "'max_tokens'"],
    ['chat', { model: 'lumen-image' }, 'does not serve text'],
  ])('%s with %j', async (format, over, words) => {
    const answer = await gateway.call('POST', PATHS[format], body(format, over));
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.stringContaining(words) },
    });
  });

  test('a prompt that does not fit into the context of the model', async () => {
    const long = { model: 'isle max preview', messages: [{ role: 'user', content: 'x'.repeat(4 * 33_000) }] };
    const answer = await gateway.call('POST', PATHS.chat, long);
    expect(answer.json).toMatchObject({ error: { code: 'context_length_exceeded' } });
  });

  test('a refused call leaves no record and no journal line', async () => {
    expect(await gateway.records()).toEqual([]);
    expect((await gateway.control('GET', '/journal')).json).toMatchObject({ lines: [] });
  });
});

test('content may be any JSON value', async () => {
  for (const content of [
    '',
    null,
    5,
    [],
    {},
    [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: {} },
    ],
  ]) {
    const messages = [{ role: 'user', content }];
    const answer = await gateway.call('POST', PATHS.chat, chatBody({ messages, max_tokens: 1 }));
    expect([answer.status, content]).toEqual([200, content]);
  }
});

describe('messages credentials and version', () => {
  const unknown = { model: 'none', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] };

  test('x-api-key and bearer are both accepted', async () => {
    const { api_key } = gateway.running.ready;
    const header = await gateway.call('POST', PATHS.messages, unknown, {
      authorization: null,
      'x-api-key': api_key,
    });
    const bearer = await gateway.call('POST', PATHS.messages, unknown);
    expect([header.status, bearer.status]).toEqual([404, 404]);
  });

  test('x-api-key is no credential for the other formats', async () => {
    const { api_key } = gateway.running.ready;
    const headers = { authorization: null, 'x-api-key': api_key };
    expect((await gateway.call('POST', PATHS.chat, chatBody(), headers)).status).toBe(401);
  });

  test('any date passes as version, anything else is refused', async () => {
    const status = async (version: string): Promise<number> =>
      (await gateway.call('POST', PATHS.messages, unknown, { 'anthropic-version': version })).status;
    expect(await status('2023-06-01')).toBe(404);
    expect(await status('latest')).toBe(400);
  });
});

test('odd model ids go through unchanged', async () => {
  for (const model of ['heath,large=v2', 'juniper "quoted" model', "kelp's finest", 'elm/elm-405b@bf16']) {
    const answer = await gateway.call('POST', PATHS.chat, chatBody({ model, max_tokens: 1 }));
    expect(answer.json).toMatchObject({ model });
    const found = await gateway.call('GET', `/v1/usage?model=${encodeURIComponent(model)}`);
    expect(found.json).toMatchObject({ records: 1, by_model: [{ model }] });
  }
});

test('a client that leaves before any output is not charged', async () => {
  const slow = await startTestGateway({ latency: 'realistic' });
  try {
    const { base_url, api_key } = slow.running.ready;
    const prompt = 'leave early wb00000000000000aa';
    const left = httpRequest(`${base_url}${PATHS.chat}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    });
    left.on('error', () => {});
    left.on('response', () => left.destroy());
    left.end(JSON.stringify(chatBody({ stream: true, messages: [{ role: 'user', content: prompt }] })));
    const newest = async () => (await slow.records())[0];
    await expect.poll(newest).toMatchObject({ billing_status: 'refunded' });
    const record = await newest();
    expect(record).toMatchObject({
      result: 'cancelled',
      amount: '0',
      refunded_amount: record?.reserved_amount,
    });
    expect((await slow.control('GET', '/journal')).json).toMatchObject({
      lines: [{ type: 'call', marker: 'wb00000000000000aa', amount: '0', first_token_ms: null }],
    });
  } finally {
    await slow.running.close();
  }
});

test('a client that leaves inside a stream is charged by what was written', async () => {
  const slow = await startTestGateway({ latency: 'realistic' });
  try {
    const { base_url, api_key } = slow.running.ready;
    const left = httpRequest(`${base_url}${PATHS.chat}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    });
    left.on('error', () => {});
    left.on('response', (response) => {
      response.setEncoding('utf8').on('error', () => {});
      // The first event has the role alone.
      response.on('data', (text: string) => {
        if (/"content":"\w/.test(text)) left.destroy();
      });
    });
    left.end(JSON.stringify(chatBody({ stream: true })));
    const newest = async () => (await slow.records())[0];
    await expect.poll(newest).toMatchObject({ billing_status: 'settled' });
    const record = await newest();
    const journal = z.object({ lines: z.array(z.looseObject({ events: z.number(), amount: z.string() })) });
    const [line] = journal.parse((await slow.control('GET', '/journal')).json).lines;
    expect(record).toMatchObject({ result: 'incomplete', usage_estimated: true, amount: line?.amount });
    // One piece is one token; the first event carried none.
    expect(record?.output_tokens).toBe((line?.events ?? 0) - 1);
    expect(slow.running.latenessReport().events).toBe(line?.events);
  } finally {
    await slow.running.close();
  }
});

describe('latency', () => {
  const streamed = chatBody({ stream: true, max_tokens: 20 });

  test('a model of its own: TTFT and each further token take the time that it says', async () => {
    const latency: LatencyModel = {
      ...latencyOf('fast'),
      ttft: { kind: 'fixed', ms: 60 },
      itl: { kind: 'fixed', ms: 5 },
    };
    const own = await startTestGateway({ latency });
    try {
      await own.call('POST', PATHS.chat, streamed);
      await own.call('POST', PATHS.chat, { ...streamed, stream: false });
      const call = z.looseObject({
        first_token_ms: z.number().nullable(),
        end_ms: z.number(),
        events: z.number(),
      });
      const [stream, whole] = z
        .object({ lines: z.array(call) })
        .parse((await own.control('GET', '/journal')).json).lines;
      expect(stream?.first_token_ms).toBeGreaterThanOrEqual(60);
      const further = (stream?.events ?? 0) - 4;
      expect(further).toBeGreaterThan(3);
      expect(stream?.end_ms).toBeGreaterThanOrEqual(60 + 5 * further);
      expect(whole?.end_ms).toBeGreaterThanOrEqual(60 + 5 * further);
    } finally {
      await own.running.close();
    }
  });

  test('beyond place and queue a call is crowded with Retry-After, and nothing is booked for it', async () => {
    const latency: LatencyModel = {
      ...latencyOf('fast'),
      ttft: { kind: 'fixed', ms: 400 },
      max_in_flight: 1,
      max_queue: 1,
      retry_after_s: 3,
    };
    const busy = await startTestGateway({ latency });
    try {
      const answers = await Promise.all(
        [1, 2, 3].map(() => busy.call('POST', PATHS.chat, { ...streamed, stream: false })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.json).toMatchObject({ error: { code: 'upstream_crowded' } });
      expect(refused?.headers.get('retry-after')).toBe('3');
      const records = await busy.records();
      expect(records).toHaveLength(2);
      const ends = z.object({ lines: z.array(z.looseObject({ end_ms: z.number() })) });
      const { lines } = ends.parse((await busy.control('GET', '/journal')).json);
      // The second one waited for the first.
      expect(Math.max(...lines.map(({ end_ms }) => end_ms))).toBeGreaterThanOrEqual(700);
    } finally {
      await busy.running.close();
    }
  });

  test('a client that leaves the queue is not charged, and frees its place in it', async () => {
    const latency: LatencyModel = {
      ...latencyOf('fast'),
      ttft: { kind: 'fixed', ms: 300 },
      max_in_flight: 1,
    };
    const busy = await startTestGateway({ latency });
    try {
      const first = busy.call('POST', PATHS.chat, { ...streamed, stream: false });
      await expect.poll(() => busy.records()).toHaveLength(1);
      const { base_url, api_key } = busy.running.ready;
      const left = httpRequest(`${base_url}${PATHS.chat}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      });
      left.on('error', () => {});
      left.end(JSON.stringify(streamed));
      await expect.poll(() => busy.records()).toHaveLength(2);
      left.destroy();
      await expect.poll(async () => (await busy.records())[0]?.billing_status).toBe('refunded');
      expect((await first).status).toBe(200);
      expect((await busy.call('POST', PATHS.chat, streamed)).status).toBe(200);
    } finally {
      await busy.running.close();
    }
  });
});

test('the reply to a prompt is the same whatever its marker', async () => {
  const shape = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })) });
  const text = async (marker: string): Promise<string | undefined> => {
    const messages = [{ role: 'user', content: `${marker} describe the harbor` }];
    const { json } = await gateway.call('POST', PATHS.chat, chatBody({ messages, max_tokens: 20 }));
    return shape.parse(json).choices[0]?.message.content;
  };
  expect(await text('wb0000000000000001')).toBe(await text('wb0000000000000002'));
});

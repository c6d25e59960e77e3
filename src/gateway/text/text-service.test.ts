import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import type { UsageRecord } from '../../contracts/interface.ts';
import { chatCompletion, chatCompletionChunk } from '../openapi/answers/chat-answers.ts';
import { messageObject, messageStreamEvent } from '../openapi/answers/messages-answers.ts';
import { responseObject, responseStreamEvent } from '../openapi/answers/responses-answers.ts';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const MESSAGES = '/v1/messages';
const WITH_SEARCH = { tools: [{ type: 'web_search' }] };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

const messages = [{ role: 'user', content: 'tell of the harbor' }];
const chat = (model: string, over: object = {}) => ({ model, messages, max_tokens: 80, ...over });
const responses = (model: string, over: object = {}) => ({
  model,
  input: 'tell of the harbor',
  max_output_tokens: 80,
  ...over,
});

async function whole<T>(path: string, body: object, schema: z.ZodType<T>): Promise<T> {
  const answer = await gateway.call('POST', path, body);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return schema.parse(answer.json);
}

async function streamed<T>(path: string, body: object, schema: z.ZodType<T>): Promise<T[]> {
  const { text } = await gateway.call('POST', path, { ...body, stream: true });
  return [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data = '']) => schema.parse(JSON.parse(data)));
}

async function newestRecord(): Promise<UsageRecord> {
  const [record] = await gateway.records();
  if (record === undefined) throw new Error('no record');
  return record;
}

describe('a model that reasons tells its reasoning tokens inside the output', () => {
  test('chat, whole and streamed', async () => {
    const { usage } = await whole(CHAT, chat('oak-think'), chatCompletion);
    const { reasoning_tokens } = usage.completion_tokens_details;
    expect(reasoning_tokens).toBeGreaterThan(0);
    expect(reasoning_tokens).toBeLessThanOrEqual(40);
    expect(usage.completion_tokens).toBeGreaterThan(reasoning_tokens);
    expect(usage.completion_tokens).toBeLessThanOrEqual(80);
    expect(await newestRecord()).toMatchObject({ output_tokens: usage.completion_tokens });
    const asked = { stream_options: { include_usage: true } };
    const chunks = await streamed(CHAT, chat('oak-think', asked), chatCompletionChunk);
    expect(chunks.at(-1)?.usage).toEqual(usage);
  });

  test('responses: an item of its own before the message', async () => {
    const { output, usage } = await whole(RESPONSES, responses('oak-think-deep'), responseObject);
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
    const events = await streamed(RESPONSES, responses('oak-think-deep'), responseStreamEvent);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.find(({ type }) => type === 'response.output_text.delta')).toMatchObject({
      output_index: 1,
    });
    expect(events.at(-1)).toMatchObject({ response: { output: [{ type: 'reasoning' }, {}], usage } });
  });

  test('messages: thinking tokens, which other models do not tell', async () => {
    const body = { model: 'oak-think', messages, max_tokens: 80 };
    const { usage } = await whole(MESSAGES, body, messageObject);
    expect(usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(0);
    const events = await streamed(MESSAGES, body, messageStreamEvent);
    expect(events.find(({ type }) => type === 'message_delta')).toMatchObject({ usage });
    const other = await whole(MESSAGES, { ...body, model: 'cedar-haiku' }, messageObject);
    expect(other.usage).not.toHaveProperty('output_tokens_details');
  });

  test('a limit of one token leaves no room for any', async () => {
    const { usage } = await whole(CHAT, chat('oak-think', { max_tokens: 1 }), chatCompletion);
    expect(usage).toMatchObject({
      completion_tokens: 1,
      completion_tokens_details: { reasoning_tokens: 0 },
    });
  });

  test('a stream that is cut is charged its reasoning and the text that was written', async () => {
    const asked = chat('oak-think', { stream: true });
    const honest = await whole(CHAT, chat('oak-think'), chatCompletion);
    const faults = [{ fault: 'net.eof_clean', when: { nth: 1 }, parameters: { after_events: 3 } }];
    await gateway.control('PUT', '/faults', { faults });
    await gateway.call('POST', CHAT, asked);
    await gateway.control('PUT', '/faults', { faults: [] });
    const { reasoning_tokens } = honest.usage.completion_tokens_details;
    await expect.poll(newestRecord).toMatchObject({ result: 'incomplete', usage_estimated: true });
    const { output_tokens } = await newestRecord();
    // Two words of text.
    expect(output_tokens - reasoning_tokens).toBeGreaterThan(0);
    expect(output_tokens - reasoning_tokens).toBeLessThan(8);
  });
});

describe('tiers of service', () => {
  test.each([
    ['priority', 'priority'],
    ['flex', 'flex'],
    ['auto', 'default'],
    ['scale', 'default'],
    [undefined, 'default'],
  ])('asked for %s, served and told %s', async (service_tier, told) => {
    const over = service_tier === undefined ? {} : { service_tier };
    expect(await whole(CHAT, chat('pine', over), chatCompletion)).toMatchObject({ service_tier: told });
    expect(await whole(RESPONSES, responses('pine', over), responseObject)).toMatchObject({
      service_tier: told,
    });
  });

  test('every chunk tells it', async () => {
    const chunks = await streamed(CHAT, chat('pine', { service_tier: 'flex' }), chatCompletionChunk);
    expect(new Set(chunks.map(({ service_tier }) => service_tier))).toEqual(new Set(['flex']));
  });

  test('a model without tiers tells none, and a tier that is no text is refused', async () => {
    const plain = await whole(CHAT, chat('aspen-mini', { service_tier: 'priority' }), chatCompletion);
    expect(plain).not.toHaveProperty('service_tier');
    expect((await gateway.call('POST', CHAT, chat('pine', { service_tier: 2 }))).status).toBe(400);
  });

  test('more is reserved for a dearer tier', async () => {
    await whole(CHAT, chat('pine'), chatCompletion);
    const { reserved_amount: usual } = await newestRecord();
    await whole(CHAT, chat('pine', { service_tier: 'priority' }), chatCompletion);
    expect(Number((await newestRecord()).reserved_amount)).toBeCloseTo(2 * Number(usual), 10);
  });
});

describe('searches on the side of the server', () => {
  const searches = (output: readonly { readonly type: string }[]): number =>
    output.filter(({ type }) => type === 'web_search_call').length;

  test('each is an item before the message, and costs its price', async () => {
    const { output, usage } = await whole(RESPONSES, responses('rowan-search', WITH_SEARCH), responseObject);
    const made = searches(output);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThanOrEqual(3);
    const { amount, reserved_amount } = await newestRecord();
    const tokens = (usage?.input_tokens ?? 0) * 0.9e-6 + (usage?.output_tokens ?? 0) * 3.6e-6;
    expect(Number(amount)).toBeCloseTo(made * 0.01 + tokens, 8);
    // Three searches may come.
    expect(Number(reserved_amount)).toBeGreaterThan(0.03);
  });

  test('a stream tells each step of them', async () => {
    const events = await streamed(RESPONSES, responses('rowan-search', WITH_SEARCH), responseStreamEvent);
    const last = events.at(-1);
    const made = last !== undefined && 'response' in last ? searches(last.response.output) : 0;
    const steps = events.filter(({ type }) => type.startsWith('response.web_search_call.'));
    expect(made).toBeGreaterThan(0);
    expect(steps).toHaveLength(3 * made);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  });

  test('none where the request gives no such tool, or the model has none', async () => {
    const unasked = await whole(RESPONSES, responses('rowan-search'), responseObject);
    const other = { tools: [{ type: 'function', name: 'f' }] };
    const otherTool = await whole(RESPONSES, responses('rowan-search', other), responseObject);
    const otherModel = await whole(RESPONSES, responses('aspen-mini', WITH_SEARCH), responseObject);
    expect([unasked, otherTool, otherModel].map(({ output }) => output.length)).toEqual([1, 1, 1]);
  });
});

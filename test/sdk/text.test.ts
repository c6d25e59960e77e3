import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { latencyOf } from '../../src/gateway/latency/latency-preset.ts';
import { type SdkBench, startBench } from './clients.ts';
import { collect } from './collect.ts';
import { usageOf } from './usage-of.ts';

let bench: SdkBench;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.gateway.close());

const hello = [{ role: 'user' as const, content: 'Tell me about the river.' }];

test('chat, plain: text, usage, request id and a settled record that agrees', async () => {
  const { data, response, request_id } = await bench.openai.chat.completions
    .create({ model: 'aspen-mini', messages: hello })
    .withResponse();
  expect(data.choices[0]?.message.content).toMatch(/\w+ \w+/);
  expect(data.choices[0]?.finish_reason).toBe('stop');
  expect(response.headers.get('x-oneapi-request-id')).toBe(request_id);
  const [record, ...others] = await usageOf(bench, request_id);
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    model: 'aspen-mini',
    result: 'completed',
    billing_status: 'settled',
    input_tokens: data.usage?.prompt_tokens,
    output_tokens: data.usage?.completion_tokens,
    usage_estimated: false,
  });
});

test('chat, streamed: usage once and only when asked for, the same record', async () => {
  const request = { model: 'aspen-mini', messages: hello, stream: true } as const;
  const stream = await bench.openai.chat.completions.create({
    ...request,
    stream_options: { include_usage: true },
  });
  const chunks = await collect(stream);
  const usages = chunks.flatMap((chunk) => (chunk.usage ? [chunk.usage] : []));
  const finishes = chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.finish_reason));
  expect(usages).toHaveLength(1);
  expect(finishes.filter((finish) => finish !== null)).toEqual(['stop']);
  const requestId = chunks[0]?.id.replace('chatcmpl-', '');
  expect(await usageOf(bench, requestId)).toMatchObject([
    { billing_status: 'settled', output_tokens: usages[0]?.completion_tokens },
  ]);
  const silent = await collect(await bench.openai.chat.completions.create(request));
  expect(silent.filter((chunk) => chunk.usage)).toEqual([]);
});

test('chat, stream helper: the final message is the text of all deltas', async () => {
  const stream = bench.openai.chat.completions.stream({
    model: 'aspen-mini',
    messages: hello,
    max_tokens: 6,
  });
  let deltas = '';
  stream.on('content', (delta) => {
    deltas += delta;
  });
  const final = await stream.finalChatCompletion();
  expect(final.choices[0]?.finish_reason).toBe('length');
  expect(final.choices[0]?.message.content).toBe(deltas);
});

test('responses, plain: completed, or incomplete when the limit cuts it', async () => {
  const whole = await bench.openai.responses.create({
    model: 'birch-4.1-mini',
    input: 'Tell me about rain.',
  });
  expect(whole.status).toBe('completed');
  expect(whole.output_text.length).toBeGreaterThan(10);
  const cut = await bench.openai.responses.create({
    model: 'birch-4.1-mini',
    input: 'Tell.',
    max_output_tokens: 2,
  });
  expect(cut.status).toBe('incomplete');
  expect(cut.incomplete_details).toEqual({ reason: 'max_output_tokens' });
  expect(cut.usage?.output_tokens).toBe(2);
});

test('responses, streamed: created first, numbered without a gap, deltas make the text', async () => {
  const stream = await bench.openai.responses.create({
    model: 'birch-4.1-mini',
    input: [{ role: 'user', content: 'Tell me about snow.' }],
    stream: true,
  });
  const events = await collect(stream);
  expect(events[0]?.type).toBe('response.created');
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  const text = events
    .map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
    .join('');
  const last = events.at(-1);
  if (last?.type !== 'response.completed') throw new Error(`the stream ended with ${last?.type}`);
  expect(last.response.output[0]).toMatchObject({ type: 'message', content: [{ text }] });
  const [record] = await usageOf(bench, last.response.id.replace('resp_', ''));
  expect(record?.output_tokens).toBe(last.response.usage?.output_tokens);
});

test('responses, stream helper: finalResponse resolves as completed', async () => {
  const stream = bench.openai.responses.stream({ model: 'birch-4.1-mini', input: 'Tell me about ships.' });
  const final = await stream.finalResponse();
  expect(final.status).toBe('completed');
  expect(final.output_text.length).toBeGreaterThan(10);
});

test('responses, stream helper: searches and reasoning stand before the message', async () => {
  const searching = bench.openai.responses.stream({
    model: 'rowan-search',
    input: 'Tell me about tides.',
    tools: [{ type: 'web_search' }],
  });
  const searched = await searching.finalResponse();
  const kinds = searched.output.map(({ type }) => type);
  expect(kinds).toEqual([...kinds.slice(0, -1).map(() => 'web_search_call'), 'message']);
  expect(kinds.length).toBeGreaterThan(1);
  expect(searched.output_text.length).toBeGreaterThan(10);
  const thinking = bench.openai.responses.stream({ model: 'oak-think', input: 'Tell me about tides.' });
  const thought = await thinking.finalResponse();
  expect(thought.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
  expect(thought.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
});

test('chat: the tier at which a call was served is told', async () => {
  const request = { model: 'pine', messages: hello, max_tokens: 5, service_tier: 'priority' } as const;
  expect((await bench.openai.chat.completions.create(request)).service_tier).toBe('priority');
  const streamed = bench.openai.chat.completions.stream({ ...request, service_tier: 'flex' });
  expect((await streamed.finalChatCompletion()).service_tier).toBe('flex');
});

test('messages, plain: stop reason and usage, by x-api-key', async () => {
  const message = await bench.anthropic.messages.create({
    model: 'cedar-haiku',
    max_tokens: 3,
    messages: hello,
  });
  expect(message.stop_reason).toBe('max_tokens');
  expect(message.usage.output_tokens).toBe(3);
  const records = await usageOf(bench, message._request_id);
  expect(records).toMatchObject([
    { input_tokens: message.usage.input_tokens, output_tokens: 3, result: 'completed' },
  ]);
});

test('messages, streamed: from message_start to message_stop with cumulative usage', async () => {
  const stream = await bench.anthropic.messages.create({
    model: 'cedar-haiku',
    max_tokens: 1000,
    messages: hello,
    stream: true,
  });
  const events = await collect(stream);
  expect(events[0]?.type).toBe('message_start');
  expect(events.at(-1)?.type).toBe('message_stop');
  const deltas = events.filter((event) => event.type === 'content_block_delta');
  const usage = events.flatMap((event) =>
    event.type === 'message_delta' ? [event.usage.output_tokens] : [],
  );
  expect(usage).toHaveLength(1);
  expect(usage[0]).toBeGreaterThanOrEqual(deltas.length / 2);
});

test('messages, stream helper: a long prompt is written to the cache and then read from it', async () => {
  const messages = [
    { role: 'user' as const, content: 'The measure of the river is kept in this book. '.repeat(120) },
    { role: 'assistant' as const, content: 'Yes.' },
    { role: 'user' as const, content: 'And now?' },
  ];
  const request = { model: 'cedar-sonnet', max_tokens: 20, messages };
  const first = await bench.anthropic.messages.stream(request).finalMessage();
  const second = await bench.anthropic.messages.stream(request).finalMessage();
  const written = first.usage.cache_creation_input_tokens ?? 0;
  expect(written).toBeGreaterThanOrEqual(1024);
  expect(first.usage.cache_read_input_tokens).toBe(0);
  expect(second.usage.cache_read_input_tokens).toBe(written);
  const [record] = await usageOf(bench, second.id.replace('msg_', ''));
  expect(record?.cache_read_tokens).toBe(written);
  expect(record?.input_tokens).toBe(second.usage.input_tokens + written);
});

test('a client that leaves a stream pays for what was written, marked as estimated', async () => {
  // One that writes faster may be through before a client on a busy machine has left.
  const slow = await startBench({ latency: { ...latencyOf('fast'), itl: { kind: 'fixed', ms: 300 } } });
  onTestFinished(() => slow.gateway.close());
  const stream = await slow.openai.chat.completions.create({
    model: 'aspen-mini',
    messages: [{ role: 'user', content: 'Leave this one.' }],
    stream: true,
  });
  let id = '';
  for await (const chunk of stream) {
    id = chunk.id;
    if (chunk.choices[0]?.delta.content) break;
  }
  await expect
    .poll(() => usageOf(slow, id.replace('chatcmpl-', '')))
    .toMatchObject([{ billing_status: 'settled', result: 'incomplete', usage_estimated: true }]);
});

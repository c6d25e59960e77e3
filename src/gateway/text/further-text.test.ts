import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

const COMPLETIONS = '/v1/completions';
const EMBEDDINGS = '/v1/embeddings';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

const usage = z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() });
const completion = z.looseObject({
  object: z.literal('text_completion'),
  choices: z.tuple([z.looseObject({ text: z.string().min(1), finish_reason: z.enum(['stop', 'length']) })]),
  usage,
});
const list = z.object({
  object: z.literal('list'),
  data: z.array(z.object({ object: z.literal('embedding'), index: z.int(), embedding: z.unknown() })),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
const numbers = z.array(z.number());

/** aspen: 2.5 USD a million input tokens, 10 USD a million output tokens; in units of 10⁻⁷ USD. */
function charged(input: number, output: number): string {
  const digits = String(input * 25 + output * 100).padStart(8, '0');
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`.replace(/\.?0+$/, '');
}

describe('completions', () => {
  test('are charged as their usage says, and recorded', async () => {
    const body = { model: 'aspen', prompt: ['Say a word'], max_tokens: 5, stop: ['\n'] };
    const answer = completion.parse((await gateway.call('POST', COMPLETIONS, body)).json);
    expect(answer.usage.completion_tokens).toBeLessThanOrEqual(5);
    const [record] = await gateway.records();
    expect(record).toMatchObject({
      model: 'aspen',
      input_tokens: answer.usage.prompt_tokens,
      output_tokens: answer.usage.completion_tokens,
      amount: charged(answer.usage.prompt_tokens, answer.usage.completion_tokens),
    });
  });

  test('stream the same text, with usage where it is asked for', async () => {
    const body = { model: 'aspen', prompt: 'Say it again', max_tokens: 9 };
    const whole = completion.parse((await gateway.call('POST', COMPLETIONS, body)).json);
    const stream = { ...body, stream: true, stream_options: { include_usage: true } };
    const { text } = await gateway.call('POST', COMPLETIONS, stream);
    const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, event]) => JSON.parse(event ?? ''));
    expect(events.map((event) => event.choices[0]?.text ?? '').join('')).toBe(whole.choices[0].text);
    expect(events.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    const silent = await gateway.call('POST', COMPLETIONS, { ...body, stream: true });
    expect(silent.text).not.toContain('"usage"');
  });

  test.each([
    [{ echo: true }, "'echo'"],
    [{ prompt: ['a', 'b'] }, 'one prompt'],
    [{ prompt: [1, 2] }, 'one prompt'],
    [{ n: 2 }, "'n'"],
  ])('%j is 400 and says why', async (over, words) => {
    const answer = await gateway.call('POST', COMPLETIONS, { model: 'aspen', prompt: 'x', ...over });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words)]);
  });
});

describe('embeddings', () => {
  test('are charged by their input alone, and recorded', async () => {
    const body = { model: 'aspen', input: ['a mill', 'a weir'], dimensions: 8 };
    const answer = list.parse((await gateway.call('POST', EMBEDDINGS, body)).json);
    expect(answer.data.map(({ index }) => index)).toEqual([0, 1]);
    const vectors = answer.data.map(({ embedding }) => numbers.length(8).parse(embedding));
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(vectors[0]).not.toEqual(vectors[1]);
    const [record] = await gateway.records();
    const input_tokens = answer.usage.prompt_tokens;
    expect(record).toMatchObject({ input_tokens, output_tokens: 0, amount: charged(input_tokens, 0) });
  });

  test('tokens are counted as they are sent', async () => {
    for (const input of [
      [5, 6, 7],
      [[5, 6], [7]],
    ]) {
      const answer = await gateway.call('POST', EMBEDDINGS, { model: 'aspen', input });
      expect(list.parse(answer.json).usage.prompt_tokens).toBe(3);
    }
  });

  test('base64 holds the same numbers', async () => {
    const body = { model: 'aspen', input: 'a mill', dimensions: 3 };
    const plain = list.parse((await gateway.call('POST', EMBEDDINGS, body)).json);
    const coded = { ...body, encoding_format: 'base64' };
    const answer = list.parse((await gateway.call('POST', EMBEDDINGS, coded)).json);
    const bytes = Buffer.from(z.string().parse(answer.data[0]?.embedding), 'base64');
    const read = [0, 4, 8].map((at) => bytes.readFloatLE(at));
    expect(read).toEqual(plain.data[0]?.embedding);
  });

  test.each([[{ input: [] }], [{ input: '' }], [{ dimensions: 0 }], [{ encoding_format: 'hex' }]])(
    '%j is 400',
    async (over) => {
      const body = { model: 'aspen', input: 'x', ...over };
      expect((await gateway.call('POST', EMBEDDINGS, body)).status).toBe(400);
    },
  );
});

test('one model of the list is read by its id, one that is not is 404', async () => {
  const models = z.object({ data: z.array(z.object({ id: z.string() })) });
  const { data } = models.parse((await gateway.call('GET', '/v1/models')).json);
  for (const model of data)
    expect((await gateway.call('GET', `/v1/models/${model.id}`)).json).toMatchObject(model);
  const none = await gateway.call('GET', '/v1/models/none');
  expect([none.status, none.text]).toEqual([404, expect.stringContaining('model_not_found')]);
});

import { expect, test } from 'vitest';
import * as z from 'zod';
import { chatBody, startTestGateway } from '../parts/gateway.test-support.ts';
import { readReadings } from '../readings/read-readings.ts';

const usage = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() });
const chunk = z.object({
  choices: z.array(z.object({ finish_reason: z.string().nullable() })),
  usage: usage.optional(),
});

/** The chunks of a chat stream of four tokens. */
async function chunks(text: string, asked: boolean): Promise<readonly z.infer<typeof chunk>[]> {
  const on = await startTestGateway({ readings: readReadings({ text, file: 'readings.yaml' }) });
  try {
    const body = { max_tokens: 4, stream: true, stream_options: { include_usage: asked } };
    const answer = await on.call('POST', '/v1/chat/completions', chatBody(body));
    expect(answer.text.endsWith('data: [DONE]\n\n')).toBe(true);
    return [...answer.text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) =>
      chunk.parse(JSON.parse(json)),
    );
  } finally {
    await on.running.close();
  }
}

test.each([
  ['asked', true, 1],
  ['asked', false, 0],
  ['always', false, 1],
  ['never', true, 0],
])('usage %s, asked for: %s', async (reading, asked, told) => {
  const all = await chunks(`stream_usage: ${reading}\n`, asked);
  expect(all.filter((each) => each.usage !== undefined)).toHaveLength(told);
  expect(all.at(-1)?.choices).toHaveLength(1 - told);
});

test('usage in the chunk that finishes', async () => {
  const all = await chunks('stream_usage_place: finishing_chunk\n', true);
  expect(all.map((each) => each.usage?.completion_tokens)).toEqual([...Array.from({ length: 5 }), 4]);
  expect(all.at(-1)?.choices).toEqual([{ finish_reason: 'length' }]);
});

test('usage so far in each chunk', async () => {
  const all = await chunks('stream_usage_place: cumulative\n', true);
  expect(all.map((each) => each.usage?.completion_tokens)).toEqual([undefined, 1, 2, 3, 4, 4]);
});

test.each([
  ['inside', 0],
  ['beside', 1],
])('reasoning %s the count of output', async (told_reasoning, times) => {
  const text = `told_reasoning: ${told_reasoning}\n`;
  const on = await startTestGateway({ readings: readReadings({ text, file: 'readings.yaml' }) });
  try {
    const details = z.object({ reasoning_tokens: z.number().min(1) });
    const chat = await on.call('POST', '/v1/chat/completions', chatBody({ model: 'oak-think' }));
    const told = z
      .object({
        prompt_tokens: z.number(),
        completion_tokens: z.number(),
        total_tokens: z.number(),
        completion_tokens_details: details,
      })
      .parse(z.object({ usage: z.unknown() }).parse(chat.json).usage);
    const [record] = await on.records();
    expect(told.completion_tokens + times * told.completion_tokens_details.reasoning_tokens).toBe(
      record?.output_tokens,
    );
    expect(told.total_tokens).toBe(told.prompt_tokens + (record?.output_tokens ?? 0));
    const response = await on.call('POST', '/v1/responses', { model: 'oak-think', input: 'x' });
    const other = z
      .object({
        input_tokens: z.number(),
        output_tokens: z.number(),
        total_tokens: z.number(),
        output_tokens_details: details,
      })
      .parse(z.object({ usage: z.unknown() }).parse(response.json).usage);
    expect(
      other.input_tokens + other.output_tokens + times * other.output_tokens_details.reasoning_tokens,
    ).toBe(other.total_tokens);
  } finally {
    await on.running.close();
  }
});

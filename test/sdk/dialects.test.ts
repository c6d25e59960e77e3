import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/gateway/hooks/worn.ts';
import { type SdkBench, startBench } from './clients.ts';
import { collect } from './collect.ts';

const messages = [{ role: 'user' as const, content: 'hello there' }];

describe.each<DialectName>(['new-api', 'litellm'])('the official clients against %s', (name) => {
  let bench: SdkBench;
  beforeAll(async () => {
    bench = await startBench({ worn: { name, switches: new Set() } });
  });
  afterAll(() => bench.gateway.close());

  test('openai: chat, plain and streamed, responses and models', async () => {
    const { openai } = bench;
    const plain = await openai.chat.completions.create({ model: 'aspen-mini', messages, max_tokens: 5 });
    expect(plain.usage?.completion_tokens).toBe(5);
    const chunks = await collect(
      await openai.chat.completions.create({ model: 'aspen-mini', messages, max_tokens: 5, stream: true }),
    );
    expect(chunks.some(({ choices }) => choices[0]?.finish_reason === 'length')).toBe(true);
    const response = await openai.responses.create({ model: 'aspen', input: 'x', max_output_tokens: 5 });
    expect(response.usage?.output_tokens).toBe(5);
    const listed = await collect(await openai.models.list());
    expect(listed.map(({ id }) => id)).toContain('aspen-mini');
  });

  test('openai: images and a video to its end', async () => {
    const { openai } = bench;
    const made = await openai.images.generate({ model: 'lumen-image-mini', prompt: 'x', n: 2 });
    expect(made.data).toHaveLength(2);
    const { id } = await openai.videos.create({ model: 'orbit-2', prompt: 'x', seconds: '4' });
    await expect.poll(async () => (await openai.videos.retrieve(id)).status).toBe('completed');
    const content = await openai.videos.downloadContent(id);
    expect(content.headers.get('content-type')).toBe('video/mp4');
  });

  test('anthropic: messages, plain and streamed', async () => {
    const { anthropic } = bench;
    const asked = { model: 'cedar-haiku', messages, max_tokens: 5 };
    const plain = await anthropic.messages.create(asked);
    expect(plain.stop_reason).toBe('max_tokens');
    const streamed = await anthropic.messages.stream(asked).finalMessage();
    expect(streamed.usage.output_tokens).toBe(plain.usage.output_tokens);
  });
});

test('a stream that ends by an invention is no error to the client, and has no finish reason', async () => {
  const bench = await startBench({ worn: { name: 'new-api', switches: new Set() } });
  try {
    const asked = { model: 'aspen-mini', messages, max_tokens: 200, stream: true } as const;
    const headers = { 'x-weighbridge-fault': 'net.eof_clean; after_events=4' };
    const chunks = await collect(await bench.openai.chat.completions.create(asked, { headers }));
    expect(chunks.filter(({ choices }) => choices[0]?.finish_reason != null)).toEqual([]);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(0);
  } finally {
    await bench.gateway.close();
  }
});

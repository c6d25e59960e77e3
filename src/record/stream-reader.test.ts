import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { TEXT_KINDS } from '../core/call-kind.ts';
import { StreamReader } from './paid-route.ts';

// The corpus of all readers of streams: this one keeps no text, and must tell the same of it.
const CORPUS = new URL('../../test/corpus/sse/', import.meta.url);

const corpusCase = z.looseObject({
  kind: z.enum(TEXT_KINDS),
  steps: z.array(z.string()),
  result: z.looseObject({
    text: z.string(),
    usage: z.unknown(),
    out_chars: z.number(),
    error_type: z.string().nullable(),
  }),
});

const names = readdirSync(CORPUS)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

function read(name: string, mostEvent: number | undefined, size: number) {
  const { kind, steps, result } = corpusCase.parse(
    JSON.parse(readFileSync(new URL(`${name}.json`, CORPUS), 'utf8')),
  );
  const { text: _, out_chars, error_type, ...wanted } = result;
  const bytes = readFileSync(new URL(`${name}.txt`, CORPUS));
  const reader = new StreamReader(kind, mostEvent);
  for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size), at);
  const facts = reader.facts();
  const content = steps.filter((step) => step.includes('c') || step.includes('v')).length;
  return { facts, wanted: { ...wanted, error_type: error_type ?? 'none' }, out_chars, content };
}

describe('every stream of the corpus', () => {
  test.each([
    ['whole', 1 << 20],
    ['byte by byte', 1],
    ['in pieces of 7', 7],
  ])('%s', (_, size) => {
    expect(names.length).toBeGreaterThan(40);
    for (const name of names) {
      const { facts, wanted, out_chars, content } = read(name, undefined, size);
      expect({ name, ...facts.text }).toMatchObject({ name, ...wanted });
      expect({ name, chars: facts.out_chars, events: facts.events }).toEqual({
        name,
        chars: out_chars,
        events: content,
      });
    }
  });

  // Events that are no JSON read as such either way; texts that stand where names are asked for are
  // counted alone.
  test('with every event too long to be held', () => {
    for (const name of names) {
      const { facts, wanted, out_chars } = read(name, 16, 7);
      const { usage: _, ...rest } = wanted;
      const { usage, ...found } = facts.text ?? { usage: null };
      expect({ name, ...found }).toMatchObject({ name, ...rest });
      expect({ name, chars: facts.out_chars }).toEqual({ name, chars: out_chars });
      expect({ name, usage: usage?.output ?? null }).toEqual({ name, usage: outputOf(wanted) });
    }
  });
});

function outputOf(wanted: object): number | null {
  const found = z
    .looseObject({ usage: z.looseObject({ output: z.number().nullable() }).nullable() })
    .parse(wanted);
  return found.usage?.output ?? null;
}

test('of an event of a megabyte only the outline is held, and its text is counted', () => {
  const reader = new StreamReader('responses');
  const text = 'ä😀'.repeat(300_000);
  const response = {
    id: 'resp_1',
    model: 'm',
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text }] }],
    usage: { input_tokens: 5, output_tokens: 600_000 },
  };
  const bytes = Buffer.from(
    `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response })}\n\n`,
  );
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < bytes.length; at += 4096) reader.feed(bytes.subarray(at, at + 4096), at);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 << 20);
  const { text: told, out_chars } = reader.facts();
  expect(told).toMatchObject({ complete: true, response_id: 'resp_1', usage: { input: 5, output: 600_000 } });
  expect(out_chars).toBe(600_000);
  expect(JSON.stringify(reader)).not.toContain('ä');
});

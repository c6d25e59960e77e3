import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { promptPrefixes } from './prompt-prefixes.ts';

const prefix = z.object({ bytes: z.number(), digest: z.string() });
const corpus = z
  .object({
    key: z.string(),
    cases: z.array(z.object({ name: z.string(), body: z.string(), prefixes: z.array(prefix).nullable() })),
  })
  .parse(
    JSON.parse(readFileSync(new URL('../../test/corpus/prefixes/prefixes.json', import.meta.url), 'utf8')),
  );

test.each(corpus.cases)('$name', ({ body, prefixes }) => {
  expect(promptPrefixes(corpus.key, Buffer.from(body))).toEqual(prefixes);
});

const TEXT = 'The mill stands by the river. '.repeat(60);
const bodyOf = (...contents: readonly string[]): Uint8Array =>
  Buffer.from(JSON.stringify({ messages: contents.map((content) => ({ role: 'user', content })) }));
const digestsOf = (key: string, body: Uint8Array): readonly string[] =>
  (promptPrefixes(key, body) ?? []).map(({ digest }) => digest);

test('two prompts share the digests of what they share, and none beyond it', () => {
  const [one, two] = [digestsOf('k', bodyOf(TEXT, 'one?')), digestsOf('k', bodyOf(TEXT, 'two?'))];
  expect(one.slice(0, -1)).toEqual(two.slice(0, -1));
  expect(one.at(-1)).not.toBe(two.at(-1));
});

test('without the key nothing is told: another key gives other digests, and none is a hash of the text', () => {
  const [one, two] = [digestsOf('sk-one', bodyOf(TEXT)), digestsOf('sk-two', bodyOf(TEXT))];
  expect(one.filter((digest) => two.includes(digest))).toEqual([]);
});

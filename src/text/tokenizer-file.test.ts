import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { tokenizerOf } from './tokenizer-file.ts';

const corpus = (name: string) =>
  readFileSync(new URL(`../../test/corpus/tokenizer/${name}`, import.meta.url), 'utf8');
const golden = z
  .array(z.strictObject({ text: z.string(), tokens: z.number() }))
  .parse(JSON.parse(corpus('counts.json')));

it('counts as the library in Rust does, without the tokens of a template', () => {
  const count = tokenizerOf(corpus('tokenizer.json'));
  if (typeof count !== 'function') return expect.fail(count.fault);
  expect(golden.map(({ text }) => ({ text, tokens: count(text) }))).toEqual(golden);
});

it.each([
  ['no JSON', 'it holds no JSON object'],
  ['[]', 'must be a valid object'],
  ['{"version":"1.0"}', 'must contain a "model"'],
])('says what is wrong with %s', (text, fault) => {
  expect(tokenizerOf(text)).toEqual({ fault: expect.stringContaining(fault) });
});

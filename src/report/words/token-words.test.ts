import { expect, it } from 'vitest';
import { tokenWords } from './token-words.ts';

it.each([
  ['server', 9, 9, "output tokens: by the server's usage"],
  ['server', 8, 9, "output tokens: by the server's usage, known of 8 of 9 answers"],
  ['server', 0, 9, 'tokens unknown: no answer told its usage'],
  ['o200k', 9, 9, 'output tokens: by o200k, of the kept texts'],
  ['a.json', 0, 9, 'tokens unknown: no kept text of an answer could be counted by a.json'],
  ['o200k', 0, 0, null],
])('by %s, %i of %i: %s', (by, known, of, words) => {
  expect(tokenWords({ output_tokens: { by, known, of } })).toBe(words);
  expect(tokenWords({})).toBeNull();
});

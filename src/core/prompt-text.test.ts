import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { BYTES_PER_TOKEN_HUNDREDTHS, promptText } from './prompt-text.ts';
import { WORDS } from './word-list.ts';

// Written for this test, to stand for plain English prose of three kinds.
const ENGLISH = [
  `The committee met on Thursday to discuss whether the old library should be repaired or replaced. Most members
agreed that the roof would not survive another winter, but several worried about the cost. In the end they decided
to ask two builders for an estimate before making any promises to the public.`,
  `When I was a child we used to spend every summer at my grandmother's house near the sea. She kept three cats, a
noisy parrot, and a garden full of tomatoes that she sold at the market on Saturdays. I remember the smell of bread
in the morning and the sound of boats coming home at night.`,
  `A good index is the difference between a query that returns at once and one that reads the whole table. Before you
add one, look at how the data is used: which columns are filtered, which are sorted, and how often rows change. Every
index has to be kept up to date, so too many of them slow down each write.`,
].map((paragraph) => paragraph.replaceAll('\n', ' '));

function bytesPerToken(texts: readonly string[]): number {
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  return bytes / texts.reduce((sum, text) => sum + encode(text).length, 0);
}

const made = Array.from({ length: 40 }, (_, number) => promptText(1_000, 'test', number));

it('has the tokens per byte of English within 15 %', () => {
  const ratio = bytesPerToken(made) / bytesPerToken(ENGLISH);
  expect(ratio).toBeGreaterThan(0.85);
  expect(ratio).toBeLessThan(1.15);
});

it('turns a size in tokens into bytes within 5 %', () => {
  const ratio = (bytesPerToken(made) * 100) / BYTES_PER_TOKEN_HUNDREDTHS;
  expect(ratio).toBeGreaterThan(0.95);
  expect(ratio).toBeLessThan(1.05);
});

it.each([0, 1, 2, 19, 20, 141, 981, 100_000])('is exactly %d bytes of ASCII', (bytes) => {
  const text = promptText(bytes, 'size');
  expect(Buffer.byteLength(text)).toBe(bytes);
  expect(text).toMatch(/^[\x20-\x7e\n]*$/);
});

it('depends on the key and on nothing else', () => {
  expect(promptText(500, 'a', 1)).toBe(promptText(500, 'a', 1));
  const texts = new Set(Array.from({ length: 2_000 }, (_, n) => promptText(60, 'a', n)));
  expect(texts.size).toBeGreaterThan(1_990);
  // A change here changes what every recorded seed means.
  expect(promptText(60, 'golden', 1)).toBe('The sailor rose from the desert, and their main wave of the.');
});

it('draws on at least 600 words, each of them lower-case ASCII or a name', () => {
  const words = new Set(Object.values(WORDS).flat());
  expect(words.size).toBeGreaterThanOrEqual(600);
  expect([...words].filter((word) => !/^[A-Za-z][a-z]*$/.test(word))).toEqual([]);
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TEXT_MODELS } from '../models/text-models.ts';
import { countTokens } from '../tokens/count-tokens.ts';
import { writeReply } from './reply-text.ts';
import { OPENINGS, WORDS } from './word-list.ts';

test('every word is one token of o200k_base where it stands', () => {
  expect(OPENINGS.filter((word) => countTokens('o200k_base', word) !== 1 || word.length > 4)).toEqual([]);
  expect([...WORDS, ...OPENINGS].filter((word) => countTokens('o200k_base', ` ${word}`) !== 1)).toEqual([]);
  expect(new Set(WORDS).size).toBe(WORDS.length);
});

test('property: the reply is its pieces, has the stated tokens, at least one and never above the limit', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TEXT_MODELS),
      fc.integer({ min: 1, max: 400 }),
      fc.nat(),
      (model, limit, seed) => {
        const reply = writeReply(model, limit, seed);
        expect(reply.pieces.join('')).toBe(reply.text);
        expect(reply.tokens).toBe(countTokens(model.tokenizer, reply.text));
        expect(reply.tokens).toBeGreaterThanOrEqual(1);
        expect(reply.tokens).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 60 },
  );
});

test('the same key gives the same reply, another key another one', () => {
  const [model] = TEXT_MODELS;
  if (model === undefined) throw new Error('no model');
  expect(writeReply(model, 500, 1, 'a')).toEqual(writeReply(model, 500, 1, 'a'));
  expect(writeReply(model, 500, 1, 'a').text).not.toBe(writeReply(model, 500, 2, 'a').text);
});

test('lengths spread around 80 tokens, and `length` is said exactly when the limit cut', () => {
  const [model] = TEXT_MODELS;
  if (model === undefined) throw new Error('no model');
  const replies = Array.from({ length: 300 }, (_, seed) => writeReply(model, 4096, 'spread', seed));
  const lengths = replies.map(({ tokens }) => tokens).sort((left, right) => left - right);
  expect(lengths[150]).toBeGreaterThan(65);
  expect(lengths[150]).toBeLessThan(95);
  expect(lengths[15]).toBeLessThan(45);
  expect(lengths[285]).toBeGreaterThan(150);
  expect(replies.every(({ finish }) => finish === 'stop')).toBe(true);
  for (let seed = 0; seed < 50; seed += 1) {
    const free = writeReply(model, 4096, 'spread', seed);
    const cut = writeReply(model, 60, 'spread', seed);
    expect(cut.finish).toBe(free.tokens > 60 ? 'length' : 'stop');
    expect(free.text.startsWith(cut.text)).toBe(true);
  }
});

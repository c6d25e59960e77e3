import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallRandom } from '../chance/call-random.ts';
import type { TextModel } from '../models/model.ts';
import { TEXT_MODELS } from '../models/text-models.ts';
import { countTokens } from '../tokens/count-tokens.ts';
import { type ReplyText, writeReply } from './reply-text.ts';
import { OPENINGS, REPLY_WORDS } from './sentences.ts';

function replyTo(model: TextModel, limit: number, prompt: string): ReplyText {
  return writeReply(model, limit, new CallRandom(1, '/v1/messages', model.id, prompt).reply());
}

test('every word is one token of o200k_base where it stands', () => {
  expect(OPENINGS.filter((word) => countTokens('o200k_base', word) !== 1 || word.length > 4)).toEqual([]);
  expect([...REPLY_WORDS, ...OPENINGS].filter((word) => countTokens('o200k_base', ` ${word}`) !== 1)).toEqual(
    [],
  );
  expect(new Set(REPLY_WORDS).size).toBe(REPLY_WORDS.length);
});

test('property: the reply is its pieces, has the stated tokens, at least one and never above the limit', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TEXT_MODELS),
      fc.integer({ min: 1, max: 400 }),
      fc.nat(),
      (model, limit, seed) => {
        const reply = replyTo(model, limit, String(seed));
        expect(reply.pieces.join('')).toBe(reply.text);
        expect(reply.tokens).toBe(countTokens(model.tokenizer, reply.text));
        expect(reply.tokens).toBeGreaterThanOrEqual(1);
        expect(reply.tokens).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 150 },
  );
});

test('the same draws give the same reply, others another one', () => {
  const [model] = TEXT_MODELS;
  if (model === undefined) throw new Error('no model');
  expect(replyTo(model, 500, 'a 1')).toEqual(replyTo(model, 500, 'a 1'));
  expect(replyTo(model, 500, 'a 1').text).not.toBe(replyTo(model, 500, 'a 2').text);
});

test('lengths spread around 80 tokens, and `length` is said exactly when the limit cut', () => {
  const [model] = TEXT_MODELS;
  if (model === undefined) throw new Error('no model');
  const replies = Array.from({ length: 300 }, (_, seed) => replyTo(model, 4096, `spread ${seed}`));
  const lengths = replies.map(({ tokens }) => tokens).sort((left, right) => left - right);
  expect(lengths[150]).toBeGreaterThan(65);
  expect(lengths[150]).toBeLessThan(95);
  expect(lengths[15]).toBeLessThan(45);
  expect(lengths[285]).toBeGreaterThan(150);
  expect(replies.every(({ finish }) => finish === 'stop')).toBe(true);
  for (let seed = 0; seed < 50; seed += 1) {
    const free = replyTo(model, 4096, `spread ${seed}`);
    const cut = replyTo(model, 60, `spread ${seed}`);
    expect(cut.finish).toBe(free.tokens > 60 ? 'length' : 'stop');
    expect(free.text.startsWith(cut.text)).toBe(true);
  }
});

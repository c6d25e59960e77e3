import { beforeEach, expect, test } from 'vitest';
import type { TextModel } from '../models/model.ts';
import { TEXT_MODELS } from '../models/text-models.ts';
import { CACHE_LIFE_MS, CACHE_MIN_TOKENS, LONG_CACHE_LIFE_MS, PromptCache } from './prompt-cache.ts';

const READ_AND_WRITE = modelOf('cedar-haiku');
const READ_ONLY = modelOf('aspen-mini');
const UNCACHED = modelOf('aspen-pro');
const MESSAGES = [
  { role: 'user', text: 'long' },
  { role: 'user', text: 'last' },
];

let cache: PromptCache;
beforeEach(() => {
  cache = new PromptCache();
});

function modelOf(id: string): TextModel {
  const model = TEXT_MODELS.find((candidate) => candidate.id === id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
}

const look = (model: TextModel, at = 0, { owner = 'key', tokens = 2000, messages = MESSAGES } = {}) =>
  cache.look(owner, model, messages, tokens, at);

test('the first time writes where the model has that price, the second reads', () => {
  expect(look(READ_AND_WRITE)).toEqual({ cacheRead: 0, cacheWrite: 2000 });
  expect(look(READ_AND_WRITE)).toEqual({ cacheRead: 2000, cacheWrite: 0 });
});

test('a model without a write price only reads, one without a cache does neither', () => {
  expect([look(READ_ONLY), look(READ_ONLY)]).toEqual([
    { cacheRead: 0, cacheWrite: 0 },
    { cacheRead: 2000, cacheWrite: 0 },
  ]);
  expect([look(UNCACHED), look(UNCACHED)]).toEqual([
    { cacheRead: 0, cacheWrite: 0 },
    { cacheRead: 0, cacheWrite: 0 },
  ]);
});

test('a prefix below 1,024 tokens is not kept', () => {
  const short = { tokens: CACHE_MIN_TOKENS - 1 };
  expect([look(READ_AND_WRITE, 0, short), look(READ_AND_WRITE, 0, short)]).toEqual([
    { cacheRead: 0, cacheWrite: 0 },
    { cacheRead: 0, cacheWrite: 0 },
  ]);
});

test('the last message may differ, any other one may not, nor the key, nor the model', () => {
  look(READ_AND_WRITE);
  const otherLast = [MESSAGES[0] ?? { role: '', text: '' }, { role: 'user', text: 'other' }];
  expect(look(READ_AND_WRITE, 0, { messages: otherLast }).cacheRead).toBe(2000);
  const otherFirst = [{ role: 'user', text: 'other' }, ...MESSAGES.slice(1)];
  expect(look(READ_AND_WRITE, 0, { messages: otherFirst }).cacheRead).toBe(0);
  expect(look(READ_AND_WRITE, 0, { owner: 'other' }).cacheRead).toBe(0);
  expect(look(modelOf('cedar-sonnet')).cacheRead).toBe(0);
});

test('it lives five minutes from its last use', () => {
  look(READ_AND_WRITE, 0);
  expect(look(READ_AND_WRITE, CACHE_LIFE_MS).cacheRead).toBe(2000);
  expect(look(READ_AND_WRITE, 2 * CACHE_LIFE_MS).cacheRead).toBe(2000);
  expect(look(READ_AND_WRITE, 3 * CACHE_LIFE_MS + 1).cacheWrite).toBe(2000);
});

test('what was written for an hour is a hit for an hour, whatever the next call asks for', () => {
  const long = (at: number) => cache.look('key', READ_AND_WRITE, MESSAGES, 2000, at, LONG_CACHE_LIFE_MS);
  expect(long(0)).toEqual({ cacheRead: 0, cacheWrite: 2000 });
  expect(look(READ_AND_WRITE, LONG_CACHE_LIFE_MS)).toEqual({ cacheRead: 2000, cacheWrite: 0 });
  expect(look(READ_AND_WRITE, 2 * LONG_CACHE_LIFE_MS)).toEqual({ cacheRead: 2000, cacheWrite: 0 });
  expect(look(READ_AND_WRITE, 3 * LONG_CACHE_LIFE_MS + 1)).toEqual({ cacheRead: 0, cacheWrite: 2000 });
});

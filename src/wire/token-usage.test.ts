import { expect, test } from 'vitest';
import { mergeUsage, readUsage } from './token-usage.ts';

test('a format reads its own names only, and absent is never 0', () => {
  const raw = { input_tokens: 5, output_tokens: 2 };
  const nothing = { input: null, output: null, cache_read: null, cache_write: null, reasoning: null, raw };
  expect(readUsage('chat', raw)).toEqual(nothing);
  expect(readUsage('responses', raw)).toEqual({ ...nothing, input: 5, output: 2 });
  for (const empty of [{}, null, undefined, 3, []]) expect(readUsage('chat', empty)).toBeNull();
});

test('the messages format leaves the cache out of its input: it is put in', () => {
  const raw = { input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 };
  expect(readUsage('messages', raw)).toMatchObject({
    input: 125,
    cache_read: 100,
    cache_write: 20,
    output: null,
  });
  expect(readUsage('messages', { cache_read_input_tokens: 100 })).toMatchObject({
    input: null,
    cache_read: 100,
  });
});

test('later counts overwrite, null takes nothing back, a foreign __proto__ stays a plain member', () => {
  expect(mergeUsage({ a: 1, b: 2 }, { a: 5, b: null, c: null })).toEqual({ a: 5, b: 2, c: null });
  expect(mergeUsage(null, { a: 1 })).toEqual({ a: 1 });
  expect(mergeUsage({ a: 1 }, 'x')).toEqual({ a: 1 });
  const merged = mergeUsage(null, JSON.parse('{"__proto__":{"polluted":1}}'));
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect(Object.keys(merged ?? {})).toEqual(['__proto__']);
});

import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import { archivedBook, bookDocument, brief, judge, recordOf, textRow } from '../reconcile.test-support.ts';

/** Judges a call of 1,000 input tokens (400 read from the cache) and 100 output tokens (40 of reasoning). */
function judged(usage_semantics: object, changes: Partial<UsageRecord>): readonly string[] {
  const usage = { input: 1000, output: 100, cache_read: 400, cache_write: 0, reasoning: 40, raw: {} };
  const right = { amount: '0.0022', cache_read_tokens: 400, refunded_amount: '0.0078' };
  return brief(
    judge({
      rows: [textRow('a', { usage })],
      books: [archivedBook(bookDocument({ usage_semantics }))],
      sweeps: [{ records: [recordOf('a', { ...right, ...changes })] }],
    }),
  );
}

describe('another way to count the same tokens, with a right charge', () => {
  test.each([
    ['input without the cache', { input_tokens: 600 }],
    ['output without reasoning', { output_tokens: 60 }],
    ['both', { input_tokens: 600, output_tokens: 60 }],
  ])('is no finding where no book tells how: %s', (_, changes) => {
    expect(judged({}, changes)).toEqual([]);
  });

  test('is one where the book tells the other way', () => {
    const told = { input_includes_cache: true, output_includes_reasoning: true };
    expect(judged(told, {})).toEqual([]);
    expect(judged(told, { input_tokens: 600 })).toHaveLength(1);
    expect(judged(told, { output_tokens: 60 })).toHaveLength(1);
  });

  test('excuses no other count, and no wrong charge', () => {
    expect(judged({}, { input_tokens: 700 })).toHaveLength(1);
    expect(judged({}, { output_tokens: 50 })).toHaveLength(1);
    expect(judged({}, { cache_read_tokens: 0 })).not.toEqual([]);
    expect(judged({}, { output_tokens: 60, amount: '0.00188' })).toEqual([
      'reasoning_double_count omitted -0.00032',
    ]);
  });

  test('has no part in a charge that is the price of neither count', () => {
    expect(judged({}, { output_tokens: 60, amount: '0.0032' })).toEqual(['amount_mismatch amount 0.001']);
  });
});

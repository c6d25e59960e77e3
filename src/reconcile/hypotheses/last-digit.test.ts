import { expect, test } from 'vitest';
import { archivedBook, judge } from '../reconcile.test-support.ts';
import { documentOf, outline, pairOf, textModel } from './hypotheses.test-support.ts';

test('one quantum too many is rounding, though the cached token at the input price gives it too', () => {
  // 7 × 0.3007 + 0.3 = 2.4049 × 10⁻⁶ USD: 240 × 10⁻⁸ to the nearest, 241 rounded up; 8 × 0.3007 = 2.4056: 241.
  const model = textModel('m', { input: '0.3007', output: '1', cache_read: '0.3', cache_write: null });
  const pair = pairOf('a', { input: 8, output: 0, read: 1, write: 0 }, 2_410_000n);
  const { findings } = judge({
    rows: [pair.row],
    sweeps: [{ records: [pair.record] }],
    books: [archivedBook(documentOf([], { models: [model] }))],
  });
  expect(outline(findings)).toEqual(['rounding_bias round:ceil@0.00000001 1']);
  expect(findings[0]?.explanation).toContain('read_as_input');
});

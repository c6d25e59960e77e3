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

test('prices of single tokens may be rounded to 10⁻⁸ though amounts are to 10⁻¹²', () => {
  // $0.018 and $0.054 a million: 1.8 and 5.4 × 10⁻⁸ a token, 2 and 5 × 10⁻⁸ rounded.
  const model = textModel('m', { input: '0.018', output: '0.054', cache_read: null, cache_write: null });
  const rounding = { mode: 'half_up', quantum: '0.000000000001', scope: 'record' };
  const pairs = [100, 211].map((input) =>
    pairOf(`${input}`, { input, output: 10, read: 0, write: 0 }, BigInt(input) * 20_000n + 500_000n),
  );
  const { findings } = judge({
    rows: pairs.map(({ row }) => row),
    sweeps: [{ records: pairs.map(({ record }) => record) }],
    books: [archivedBook(documentOf([], { models: [model], rounding }))],
  });
  expect(findings.map(({ rule }) => rule)).toContain('group:round:token@0.00000001');
});

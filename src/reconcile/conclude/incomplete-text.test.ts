import { expect, test } from 'vitest';
import { inputOf } from '../reconcile.test-support.ts';
import { incompleteText } from './completeness.ts';

test('that no sweep is complete is told with what broke the last one', () => {
  const [line] = inputOf({ sweeps: [{ records: [] }] }).reads;
  if (line === undefined) throw new Error('a sweep has reads');
  const end = (reasons: readonly string[]) => ({ ...line, read: 'sweep_end' as const, reasons });
  const told = (...reasons: readonly string[]) =>
    incompleteText([end(['of an earlier sweep']), end(reasons)]);
  expect([incompleteText([]), told(), told('read_failed: a'), told('read_failed: a', 'b', 'c')]).toEqual([
    'no sweep of the usage records is complete',
    'no sweep of the usage records is complete',
    'no sweep of the usage records is complete: read_failed: a',
    'no sweep of the usage records is complete: read_failed: a, and 2 more',
  ]);
});

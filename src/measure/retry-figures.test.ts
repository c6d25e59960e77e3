import { expect, it } from 'vitest';
import { callRow, costsOf, failedRow } from './ledger.test-support.ts';
import { logicalCalls } from './logical-call.ts';
import { retriedUsd, retryFigures } from './retry-figures.ts';

const calls = logicalCalls([
  callRow(0, { call_id: 'a1' }),
  failedRow(0, { call_id: 'b1', logical_id: 'b' }),
  failedRow(900, { call_id: 'b2', logical_id: 'b', attempt: 2 }),
  callRow(2000, { call_id: 'b3', logical_id: 'b', attempt: 3 }),
  failedRow(0, { call_id: 'c1', logical_id: 'c', kind: 'image_job' }),
  callRow(50, { call_id: 'c2', logical_id: 'c', attempt: 2, kind: 'image' }),
  failedRow(0, { call_id: 'd1', logical_id: 'd' }),
  failedRow(9, { call_id: 'd2', logical_id: 'd', attempt: 2, outcome: 'not_sent' }),
]);

it('counts what was sent again, and takes no fallback for it', () => {
  expect(retryFigures(calls)).toEqual({ calls: 1, attempts: 2 });
});

it('sums what attempts cost that another one followed', () => {
  const costs = { b1: 1_000_000_000_000n, b2: 500_000_000_000n, c1: 0n };
  expect(retriedUsd(calls, costsOf(costs))).toBe('1.5');
  expect(retriedUsd(calls, costsOf({ ...costs, b2: null }))).toBeNull();
});

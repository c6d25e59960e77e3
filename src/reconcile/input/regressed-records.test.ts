import { expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import { inputOf, recordOf } from '../reconcile.test-support.ts';
import { judgedSweep } from './judged-sweep.ts';
import { regressedRecords } from './regressed-records.ts';

/** How many records regressed when a later read serves one changed. */
function regressed(before: Partial<UsageRecord>, after: Partial<UsageRecord>): number {
  const sweeps = [before, after].map((changes) => ({ records: [recordOf('a', changes)] }));
  const { versions } = judgedSweep(inputOf({ sweeps }));
  return regressedRecords({ versions }, ({ amount: { exact } }) =>
    exact === null ? null : { lo: exact, hi: exact },
  ).size;
}

test.each([
  ['whole, under the same word', { amount: '0', refunded_amount: '0.01' }],
  ['in part', { amount: '0.001', refunded_amount: '0.009' }],
  ['under the word for it', { billing_status: 'refunded', refunded_amount: '0.01' }],
  ['under a word that nobody knows', { billing_status: 'let go', amount: '0' }],
])('a charge that is given back, %s, is no regression', (_, after) => {
  expect(regressed({}, after)).toBe(0);
});

test('a charge that grows after it was final is one', () => {
  expect(regressed({}, { amount: '0.0029' })).toBe(1);
  expect(regressed({ amount: '0' }, {})).toBe(1);
});

test('a record that waits again is one, unless its call failed', () => {
  const waits = { billing_status: 'pending', amount: '0', refunded_amount: '0' };
  expect(regressed({}, waits)).toBe(1);
  expect(regressed({ result: 'failed' }, { result: 'failed', ...waits })).toBe(0);
});

import { expect, it } from 'vitest';
import type { JudgedCall } from '../core/reconciliation.ts';
import { callCosts, sumCosts } from './call-costs.ts';

function judged(changes: Partial<JudgedCall>): JudgedCall {
  return {
    call_id: 'c1',
    kind: 'chat',
    model: null,
    request_id: null,
    record_ids: [],
    match: 'request_id',
    started_at: null,
    outcome: 'ok',
    expected: '0.02',
    expected_lo: '0.02',
    expected_hi: '0.02',
    charged: '0.03',
    verdict: 'finding',
    lines: [],
    why: '',
    ...changes,
  };
}

it.each([
  ['is charged', {}, 30_000_000_000n],
  ['should be charged, where nothing is yet', { charged: null }, 20_000_000_000n],
  ['should be charged, where the charge may still change', { verdict: 'provisional' }, 20_000_000_000n],
  ['can be charged at most', { charged: null, expected: null, expected_hi: '0.05' }, 50_000_000_000n],
  ['is nothing where no record is due', { charged: null, verdict: 'not_charged' }, 0n],
  ['is not known', { charged: null, expected: null, expected_hi: null }, null],
] as const)('a call costs what %s', (_, changes, cost) => {
  expect(callCosts([judged(changes)]).get('c1')).toBe(cost);
});

it('gives no sum where one of the calls has no known cost', () => {
  const costs = callCosts([
    judged({}),
    judged({ call_id: 'c2', charged: null, expected: null, expected_hi: null }),
  ]);
  expect(sumCosts(['c1', 'c1'], costs)).toBe(60_000_000_000n);
  expect(sumCosts(['c1', 'c2'], costs)).toBeNull();
  expect(sumCosts(['c1', 'c3'], costs)).toBeNull();
  expect(sumCosts([], costs)).toBe(0n);
});

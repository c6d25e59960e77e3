import { describe, expect, it } from 'vitest';
import { judgedCallOf } from '../contracts/reconciliation.test-support.ts';
import type { JudgedCall } from '../contracts/reconciliation.ts';
import { callCosts, sumCosts } from './call-costs.ts';

const exactly = (amount: bigint) => ({ amount, at_most: false });
const atMost = (amount: bigint) => ({ amount, at_most: true });

function judged(changes: Partial<JudgedCall>): JudgedCall {
  return judgedCallOf({
    expected: '0.02',
    expected_lo: '0.02',
    expected_hi: '0.02',
    charged: '0.03',
    verdict: 'finding',
    ...changes,
  });
}

it.each([
  ['is charged', {}, exactly(30_000_000_000n)],
  ['should be charged, where nothing is yet', { charged: null }, exactly(20_000_000_000n)],
  [
    'should be charged, where the charge may still change',
    { verdict: 'provisional' },
    exactly(20_000_000_000n),
  ],
  ['can be charged at most', { charged: null, expected: null, expected_hi: '0.05' }, atMost(50_000_000_000n)],
  ['is nothing where no record is due', { charged: null, verdict: 'not_charged' }, exactly(0n)],
  ['is not known', { charged: null, expected: null, expected_hi: null }, null],
] as const)('a call costs what %s', (_, changes, cost) => {
  expect(callCosts({ calls: [judged(changes)], sums: [] }).single.get('c1')).toEqual(cost);
});

it('gives no sum where one of the calls has no known cost', () => {
  const calls = [
    judged({}),
    judged({ call_id: 'c2', charged: null, expected: null, expected_hi: null }),
    judged({ call_id: 'c3', charged: null, expected: null, expected_hi: '0.05' }),
  ];
  const costs = callCosts({ calls, sums: [] });
  expect(sumCosts(['c1'], costs)).toEqual(exactly(30_000_000_000n));
  expect(sumCosts(['c1', 'c3'], costs)).toEqual(atMost(80_000_000_000n));
  expect(sumCosts(['c1', 'c2'], costs)).toBeNull();
  expect(sumCosts(['c1', 'c4'], costs)).toBeNull();
  expect(sumCosts([], costs)).toEqual(exactly(0n));
});

describe('calls charged together', () => {
  const cut = { charged: null, expected: null, expected_hi: '5', outcome: 'aborted' };
  const calls = [judged({}), judged({ call_id: 'x1', ...cut }), judged({ call_id: 'x2', ...cut })];
  const together = (charged: string | null) =>
    callCosts({ calls, sums: [{ call_ids: ['x1', 'x2'], charged }] });

  it('cost what all of them are charged, not what each could be', () => {
    expect(sumCosts(['c1', 'x1', 'x2'], together('0.01'))).toEqual(exactly(40_000_000_000n));
  });

  it('cost at most as much where only a part of them is asked for', () => {
    expect(sumCosts(['x1'], together('0.01'))).toEqual(atMost(10_000_000_000n));
    expect(sumCosts(['x1'], together('9'))).toEqual(atMost(5_000_000_000_000n));
    expect(sumCosts(['x1'], together('0'))).toEqual(exactly(0n));
  });

  it('count with their bounds while their charge is open', () => {
    expect(sumCosts(['x1', 'x2'], together(null))).toEqual(atMost(10_000_000_000_000n));
  });
});

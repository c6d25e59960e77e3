import { describe, expect, it } from 'vitest';
import { abortedUsd, goodCost, isWithinUsd, per1000Text } from './good-cost.ts';
import { callRow, costsOf, failedRow } from './ledger.test-support.ts';
import { logicalCalls } from './logical-call.ts';

const ids = { scenario: 'chat' } as const;
const calls = logicalCalls([
  callRow(0, { ...ids, call_id: 'a' }),
  failedRow(1, { ...ids, call_id: 'b1', logical_id: 'b', attempt: 1 }),
  callRow(2, { ...ids, call_id: 'b2', logical_id: 'b', attempt: 2 }),
  failedRow(3, { ...ids, call_id: 'c' }),
  failedRow(4, { ...ids, call_id: 'never', outcome: 'not_sent' }),
]);
const amounts = { a: 10_000_000_000n, b1: 2_000_000_000n, b2: 10_000_000_000n, c: 1_000_000_000n };
const costs = costsOf(amounts);

describe('cost of good calls', () => {
  it('counts failed calls and further attempts, and nothing that was never sent', () => {
    const cost = goodCost(calls, 3, costs);
    expect(cost).toEqual({ spent: 23_000_000_000n, good: 3, at_most: false });
    // 0.023 / 3 × 1,000 = 7.666…
    expect(cost === null ? null : per1000Text(cost)).toBe('7.666666666667');
  });

  it('is unknown without a bill, without a good call, or where one cost is missing', () => {
    expect(goodCost(calls, 3, null)).toBeNull();
    expect(goodCost(calls, 0, costs)).toBeNull();
    expect(goodCost(calls, 3, costsOf({ ...amounts, c: null }))).toBeNull();
  });

  it('is compared exactly, beyond the last digit that is shown', () => {
    const third = { spent: 23_000_000_000n, good: 3 };
    expect(isWithinUsd(third, '7.666666666667')).toBe(true);
    expect(isWithinUsd(third, '7.666666666666')).toBe(false);
    expect(isWithinUsd({ spent: 20_000_000_000n, good: 2 }, '10')).toBe(true);
    expect(isWithinUsd({ spent: 20_000_000_001n, good: 2 }, '10')).toBe(false);
  });

  it('says where an open charge makes it an upper bound', () => {
    const open = { ...costs, single: new Map([...costs.single, ['c', { amount: 1n, at_most: true }]]) };
    expect(goodCost(calls, 3, open)).toMatchObject({ good: 3, at_most: true });
  });
});

describe('what calls that we cut are charged', () => {
  const cut = logicalCalls([
    callRow(0, { ...ids, call_id: 'a' }),
    failedRow(1, { ...ids, call_id: 'b', outcome: 'aborted' }),
    failedRow(2, { ...ids, call_id: 'c', outcome: 'aborted' }),
  ]);

  it('is their own sum, and nothing where none was cut', () => {
    expect(abortedUsd(cut, costsOf({ a: 9n, b: 2_000_000_000n, c: 500_000_000n }))).toBe('0.0025');
    expect(abortedUsd(calls, costs)).toBe('0');
  });

  it('is not known without a bill, or where a part of a common sum is asked for', () => {
    expect(abortedUsd(cut, null)).toBeNull();
    const shared = [{ call_ids: new Set(['b', 'c', 'other']), amount: 5n, at_most: false }];
    expect(abortedUsd(cut, { ...costsOf({ a: 9n, b: 9n, c: 9n }), shared })).toBeNull();
  });
});

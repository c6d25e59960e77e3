import { describe, expect, it } from 'vitest';
import { goodCost, isWithinUsd, per1000Text } from './good-cost.ts';
import { callRow, failedRow } from './ledger.test-support.ts';
import { logicalCalls } from './logical-call.ts';

const ids = { scenario: 'chat' } as const;
const calls = logicalCalls([
  callRow(0, { ...ids, call_id: 'a' }),
  failedRow(1, { ...ids, call_id: 'b1', logical_id: 'b', attempt: 1 }),
  callRow(2, { ...ids, call_id: 'b2', logical_id: 'b', attempt: 2 }),
  failedRow(3, { ...ids, call_id: 'c' }),
  failedRow(4, { ...ids, call_id: 'never', outcome: 'not_sent' }),
]);
const costs = new Map([
  ['a', 10_000_000_000n],
  ['b1', 2_000_000_000n],
  ['b2', 10_000_000_000n],
  ['c', 1_000_000_000n],
]);

describe('cost of good calls', () => {
  it('counts failed calls and further attempts, and nothing that was never sent', () => {
    const cost = goodCost(calls, 3, costs);
    expect(cost).toEqual({ spent: 23_000_000_000n, good: 3 });
    // 0.023 / 3 × 1,000 = 7.666…
    expect(cost === null ? null : per1000Text(cost)).toBe('7.666666666667');
  });

  it('is unknown without a bill, without a good call, or where one cost is missing', () => {
    expect(goodCost(calls, 3, null)).toBeNull();
    expect(goodCost(calls, 0, costs)).toBeNull();
    expect(goodCost(calls, 3, new Map([...costs, ['c', null]]))).toBeNull();
  });

  it('is compared exactly, beyond the last digit that is shown', () => {
    const third = { spent: 23_000_000_000n, good: 3 };
    expect(isWithinUsd(third, '7.666666666667')).toBe(true);
    expect(isWithinUsd(third, '7.666666666666')).toBe(false);
    expect(isWithinUsd({ spent: 20_000_000_000n, good: 2 }, '10')).toBe(true);
    expect(isWithinUsd({ spent: 20_000_000_001n, good: 2 }, '10')).toBe(false);
  });
});

import { expect, test } from 'vitest';
import { chargeRecord } from '../events/charge-record.test-support.ts';
import { OWN_READINGS, type Readings } from '../readings/readings.ts';
import { summedRecord, sumsOtherwise } from './summed-record.ts';

/** `records`, `unknown` and `pending` of an open record of 5, and of an unknown one. */
function counted(over: Partial<Readings>): readonly unknown[] {
  const readings = { ...OWN_READINGS, ...over };
  expect(sumsOtherwise(readings)).toBe(true);
  return (['pending', 'unknown'] as const).map((status) => {
    const sums = summedRecord(chargeRecord({ id: 'r', status, amount: 0n, reserved: 5n }), readings);
    return [sums.records, sums.unknown, sums.pending];
  });
}

test.each([
  [
    { totals_records: 'without_unknown' },
    [
      [1, 0, 5n],
      [0, 1, 0n],
    ],
  ],
  [
    { totals_open: 'also_unknown' },
    [
      [1, 1, 5n],
      [1, 1, 0n],
    ],
  ],
  [
    { totals_open: 'left_out' },
    [
      [0, 0, 0n],
      [1, 1, 0n],
    ],
  ],
] as const)('%j', (over, told) => {
  expect(counted(over)).toEqual(told);
});

test('the own choices are the running sums', () => {
  expect(sumsOtherwise(OWN_READINGS)).toBe(false);
});

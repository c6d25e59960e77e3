import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { thresholdsOf } from '../../scenarios/lib/thresholds-of.ts';
import { objectiveOf } from '../workload/plan.test-support.ts';
import { ascending } from './latency-table.ts';
import { valueAtRank } from './measure.ts';

it('is a value that was measured, not one between two', () => {
  const nineOfTen = [...Array(9).fill(400), 530];
  expect(valueAtRank(nineOfTen, 95)).toBe(530);
  expect(valueAtRank(nineOfTen, 90)).toBe(400);
  expect(valueAtRank([1, 2, 3, 4], 50)).toBe(2);
  expect(valueAtRank([7], 0)).toBe(7);
  expect(valueAtRank([], 95)).toBeNull();
});

it('is within a bound exactly when the k6 threshold on the same bound is met', () => {
  const percents = fc.constantFrom(1, 29, 50, 57, 90, 95, 99, 99.9, 100);
  fc.assert(
    fc.property(
      percents,
      fc.integer({ min: 1, max: 2_000 }),
      fc.integer({ min: -2, max: 2 }),
      (percentile, of, by) => {
        // Around the number of calls where the judgement turns.
        const within = Math.min(of, Math.max(0, Math.round((of * percentile) / 100) + by));
        const values = ascending([...Array(within).fill(1), ...Array(of - within).fill(9)]);
        const [bound] = Object.values(
          thresholdsOf([objectiveOf({ measure: 'ttft_ms', percentile, max: 5 })], ['chat']),
        );
        const least = Number(bound?.[0]?.replace('rate>=', ''));
        expect((valueAtRank(values, percentile) ?? 9) <= 5).toBe(within / of >= least);
      },
    ),
    { numRuns: 2_000 },
  );
});

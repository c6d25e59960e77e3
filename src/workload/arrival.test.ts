import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Arrival } from '../contracts/plan.ts';
import { arrivalOf, stageOf } from '../workload/plan.test-support.ts';
import { plannedStarts } from './arrival.ts';

function arrival(
  stages: readonly (readonly [ms: number, from: number, to: number])[],
  max: number | null = null,
): Arrival {
  return arrivalOf({ stages: stages.map((stage) => stageOf(...stage)), max_calls: max });
}

describe('plannedStarts', () => {
  it.each([
    ['2.5/s for 60 s: start 150 would be at the end', arrival([[60_000, 2_500, 2_500]]), 150],
    ['0.15/s for 60 s', arrival([[60_000, 150, 150]]), 9],
    ['0.15/s for 61 s: start 9 is at 60 s', arrival([[61_000, 150, 150]]), 10],
    ['0.4/s for 5 s', arrival([[5_000, 400, 400]]), 2],
    ['a rate too low for a second start', arrival([[1_000, 1, 1]]), 1],
    ['a ramp to 0 that reaches its last whole only at the end', arrival([[10_000, 2_000, 0]]), 10],
    [
      'a whole reached before a pause',
      arrival([
        [10_000, 1_000, 1_000],
        [5_000, 0, 0],
      ]),
      11,
    ],
    [
      'a pause in the middle',
      arrival([
        [10_000, 1_000, 1_000],
        [5_000, 0, 0],
        [10_000, 1_000, 1_000],
      ]),
      20,
    ],
    [
      'ramps',
      arrival([
        [20_000, 1_000, 4_000],
        [20_000, 4_000, 4_000],
        [20_000, 4_000, 1_000],
      ]),
      180,
    ],
    ['a limit', arrival([[60_000, 2_500, 2_500]], 7), 7],
    ['a limit that is not reached', arrival([[1_000, 1_000, 1_000]], 7), 1],
    ['no time', arrival([]), 0],
  ])('%s', (_, planned, count) => {
    expect(plannedStarts(planned)).toBe(count);
  });

  it('does not lose a start to doubles in a day at an odd rate', () => {
    expect(plannedStarts(arrival([[86_400_000, 3_333, 3_333]]))).toBe(287_972);
    expect(plannedStarts(arrival([[2_678_400_000, 99_999_999, 99_999_999]]))).toBe(267_839_997_322);
  });

  it('are those whose number the integral reaches before the end', () => {
    const stage = fc.tuple(fc.integer({ min: 1, max: 90_000 }), fc.nat(20_000), fc.nat(20_000));
    fc.assert(
      fc.property(fc.array(stage, { minLength: 1, maxLength: 5 }), (stages) => {
        const reached = integral(stages);
        const count = plannedStarts(arrival(stages)) ?? 0;
        expect(count).toBeGreaterThanOrEqual(Math.floor(reached - 1e-6));
        expect(count - 1).toBeLessThanOrEqual(reached + 1e-6);
      }),
    );
  });
});

describe('plannedStarts of other arrivals', () => {
  const trace = { file: 'trace.ndjson', sha256: 'x', calls: 12 };

  it('are as many for a random process as for the even one', () => {
    for (const process of ['poisson', 'gamma'] as const)
      expect(plannedStarts(arrivalOf({ process, stages: [stageOf(60_000, 2_500)] }))).toBe(150);
  });

  it('are those of a trace, and not known for a closed loop', () => {
    const stages = [stageOf(60_000, 0)];
    expect(plannedStarts(arrivalOf({ stages, trace }))).toBe(12);
    expect(plannedStarts(arrivalOf({ stages, trace, max_calls: 5 }))).toBe(5);
    expect(plannedStarts(arrivalOf({ stages, concurrency: 4 }))).toBeNull();
    expect(plannedStarts(arrivalOf({ stages, concurrency: 4, max_calls: 5 }))).toBeNull();
  });
});

/** Starts of all stages, by the trapezium rule. */
function integral(stages: readonly (readonly [ms: number, from: number, to: number])[]): number {
  return stages.reduce((sum, [ms, from, to]) => sum + (((from + to) / 2) * ms) / 1e6, 0);
}

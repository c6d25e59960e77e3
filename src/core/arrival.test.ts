import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plannedStartMs, plannedStarts } from './arrival.ts';
import { arrivalOf, stageOf } from './plan.test-support.ts';
import type { Arrival } from './plan.ts';

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

  it('have no time that could be known here', () => {
    expect(plannedStartMs(arrivalOf({ process: 'poisson' }), 0)).toBeNull();
    expect(plannedStartMs(arrivalOf({ trace }), 0)).toBeNull();
    expect(plannedStartMs(arrivalOf({ concurrency: 4 }), 0)).toBeNull();
  });
});

describe('plannedStartMs', () => {
  it('spaces starts evenly at a constant rate', () => {
    const planned = arrival([[2_000, 2_500, 2_500]]);
    expect([0, 1, 2, 3, 4, 5].map((n) => plannedStartMs(planned, n))).toEqual([
      0,
      400,
      800,
      1_200,
      1_600,
      null,
    ]);
  });

  it('follows the square root in a ramp from 0', () => {
    // n = t²/2 for 1/s per second: t = √(2n)
    const planned = arrival([[10_000, 0, 10_000]]);
    for (const n of [0, 1, 2, 8, 32, 49]) {
      expect(plannedStartMs(planned, n)).toBeCloseTo(Math.sqrt(2 * n) * 1_000, 6);
    }
  });

  it('starts after a pause when the integral moves on, and on a border at the first moment', () => {
    const planned = arrival([
      [2_000, 1_000, 1_000],
      [5_000, 0, 0],
      [2_000, 1_000, 1_000],
    ]);
    expect([0, 1, 2, 3].map((n) => plannedStartMs(planned, n))).toEqual([0, 1_000, 2_000, 8_000]);
  });

  it('is where the integral reaches n, ascends, and ends before the plan does', () => {
    const stage = fc.tuple(fc.integer({ min: 1, max: 90_000 }), fc.nat(20_000), fc.nat(20_000));
    fc.assert(
      fc.property(fc.array(stage, { minLength: 1, maxLength: 5 }), (stages) => {
        const planned = arrival(stages);
        const total = stages.reduce((sum, [ms]) => sum + ms, 0);
        const count = plannedStarts(planned) ?? 0;
        let last = -1;
        for (let n = 0; n < count; n += Math.max(1, Math.floor(count / 50))) {
          const at = plannedStartMs(planned, n);
          expect(at).not.toBeNull();
          if (at === null) return;
          expect(at).toBeGreaterThan(last);
          expect(at).toBeLessThan(total + 1e-6);
          expect(integral(stages, at)).toBeCloseTo(n, 4);
          last = at;
        }
        expect(plannedStartMs(planned, count)).toBeNull();
      }),
    );
  });
});

/** Starts up to a moment, by the trapezium rule. */
function integral(stages: readonly (readonly [number, number, number])[], at: number): number {
  let sum = 0;
  let begin = 0;
  for (const [ms, from, to] of stages) {
    const inside = Math.min(Math.max(at - begin, 0), ms);
    sum += ((from + (from + ((to - from) * inside) / ms)) / 2) * (inside / 1e6);
    begin += ms;
  }
  return sum;
}

import { describe, expect, it } from 'vitest';
import type { Arrival } from '../contracts/plan.ts';
import { plannedStarts } from '../workload/arrival.ts';
import { arrivalOf, stageOf } from '../workload/plan.test-support.ts';
import { scheduledBetween } from './arrival-time.ts';

const askedArrivals = (arrival: Arrival, seconds: number) => scheduledBetween(arrival, 0, seconds);

const steady = { duration_ms: 10_000, from_millirate: 2000, to_millirate: 2000 };
const ramp = { duration_ms: 10_000, from_millirate: 0, to_millirate: 4000 };

describe('askedArrivals', () => {
  it('integrates the rate over the stages', () => {
    expect(askedArrivals(arrivalOf({ stages: [steady, ramp] }), 60)).toEqual({
      calls: 40,
      seconds: 20,
    });
  });

  it('ends with the measured time', () => {
    expect(askedArrivals(arrivalOf({ stages: [ramp, steady] }), 5)).toEqual({ calls: 5, seconds: 5 });
  });

  it('counts the starts that fall due, as the plan does', () => {
    for (const millirate of [1750, 150, 333, 100]) {
      const arrival = arrivalOf({ stages: [stageOf(10_000, millirate)] });
      expect(askedArrivals(arrival, 10).calls).toBe(plannedStarts(arrival));
    }
  });

  it('ends where max_calls is reached, in a steady and in a ramping stage', () => {
    expect(askedArrivals(arrivalOf({ stages: [steady], max_calls: 5 }), 60)).toEqual({
      calls: 5,
      seconds: 2.5,
    });
    const capped = askedArrivals(arrivalOf({ stages: [ramp], max_calls: 5 }), 60);
    expect(capped.calls).toBe(5);
    expect(capped.seconds).toBeCloseTo(5, 9);
  });

  it('counts the starts between warm-up and cool-down, each in one phase only', () => {
    const arrival = arrivalOf({ stages: [steady, ramp] });
    const parts = [
      scheduledBetween(arrival, 0, 3.3),
      scheduledBetween(arrival, 3.3, 9),
      scheduledBetween(arrival, 12.3, 7.7),
    ];
    expect(parts.reduce((sum, { calls }) => sum + (calls ?? 0), 0)).toBe(40);
    expect(scheduledBetween(arrivalOf({ stages: [steady] }), 2, 5)).toEqual({ calls: 10, seconds: 5 });
    expect(scheduledBetween(arrivalOf({ stages: [steady], max_calls: 6 }), 2, 5)).toEqual({
      calls: 2,
      seconds: 1,
    });
  });

  it('asks for the same rate wherever it is cut', () => {
    const even = arrivalOf({ stages: [steady] });
    for (const [from, seconds] of [
      [0, 2.3],
      [0, 7.01],
      [1.2, 4.4],
    ] as const) {
      const asked = scheduledBetween(even, from, seconds);
      expect((asked.calls ?? 0) / asked.seconds).toBeCloseTo(2, 9);
    }
  });

  it('tells no starts of a random process, but how long it has some', () => {
    const random = arrivalOf({ stages: [steady], process: 'poisson' });
    expect(scheduledBetween(random, 1.2, 5)).toEqual({ calls: null, seconds: 5 });
    const few = arrivalOf({ stages: [steady], process: 'poisson', max_calls: 6 });
    expect(scheduledBetween(few, 0, 10)).toEqual({ calls: null, seconds: 3 });
  });

  it('tells no starts of a closed loop and of a trace', () => {
    const still = [stageOf(10_000, 0)];
    const loop = arrivalOf({ stages: still, concurrency: 4 });
    expect(scheduledBetween(loop, 0, 10)).toEqual({ calls: null, seconds: 10 });
    const trace = { file: 'trace.ndjson', sha256: '', calls: 99 };
    expect(scheduledBetween(arrivalOf({ stages: still, trace }), 2, 5)).toEqual({ calls: null, seconds: 5 });
  });
});

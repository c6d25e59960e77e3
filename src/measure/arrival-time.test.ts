import { describe, expect, it } from 'vitest';
import { plannedStarts } from '../core/arrival.ts';
import { arrivalOf, stageOf } from '../core/plan.test-support.ts';
import { askedArrivals } from './arrival-time.ts';

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
});

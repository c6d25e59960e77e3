import { describe, expect, it } from 'vitest';
import { plannedStarts } from '../core/arrival.ts';
import { askedArrivals } from './arrival-time.ts';

const steady = { duration_ms: 10_000, from_millirate: 2000, to_millirate: 2000 };
const ramp = { duration_ms: 10_000, from_millirate: 0, to_millirate: 4000 };

describe('askedArrivals', () => {
  it('integrates the rate over the stages', () => {
    expect(askedArrivals({ stages: [steady, ramp], max_calls: null }, 60)).toEqual({
      calls: 40,
      seconds: 20,
    });
  });

  it('ends with the measured time', () => {
    expect(askedArrivals({ stages: [ramp, steady], max_calls: null }, 5)).toEqual({ calls: 5, seconds: 5 });
  });

  it('counts the starts that fall due, as the plan does', () => {
    for (const millirate of [1750, 150, 333, 100]) {
      const arrival = {
        stages: [{ duration_ms: 10_000, from_millirate: millirate, to_millirate: millirate }],
        max_calls: null,
      };
      expect(askedArrivals(arrival, 10).calls).toBe(plannedStarts(arrival));
    }
  });

  it('ends where max_calls is reached, in a steady and in a ramping stage', () => {
    expect(askedArrivals({ stages: [steady], max_calls: 5 }, 60)).toEqual({ calls: 5, seconds: 2.5 });
    const capped = askedArrivals({ stages: [ramp], max_calls: 5 }, 60);
    expect(capped.calls).toBe(5);
    expect(capped.seconds).toBeCloseTo(5, 9);
  });
});

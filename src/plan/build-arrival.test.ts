import { describe, expect, it } from 'vitest';
import { buildArrival } from './build-arrival.ts';

const EVEN = { process: 'even', burstiness: 1, concurrency: null, max_calls: null } as const;

const ramp = {
  ...EVEN,
  millirate: 1_000,
  stages: [
    { duration_ms: 20_000, millirate: 4_000 },
    { duration_ms: 20_000, millirate: 4_000 },
    { duration_ms: 20_000, millirate: 1_000 },
  ],
};

describe('buildArrival', () => {
  it('holds a plain rate for the whole duration', () => {
    expect(buildArrival({ ...EVEN, millirate: 150, stages: [] }, 60_000)).toEqual({
      stages: [{ duration_ms: 60_000, from_millirate: 150, to_millirate: 150 }],
      max_calls: null,
      process: 'even',
      burstiness: 1,
      concurrency: null,
      trace: null,
    });
  });

  it('ramps from the rate before, cuts what is too long and holds the last rate over what is left', () => {
    expect(buildArrival(ramp, 90_000).stages).toEqual([
      { duration_ms: 20_000, from_millirate: 1_000, to_millirate: 4_000 },
      { duration_ms: 20_000, from_millirate: 4_000, to_millirate: 4_000 },
      { duration_ms: 20_000, from_millirate: 4_000, to_millirate: 1_000 },
      { duration_ms: 30_000, from_millirate: 1_000, to_millirate: 1_000 },
    ]);
    expect(buildArrival(ramp, 10_000).stages).toEqual([
      { duration_ms: 10_000, from_millirate: 1_000, to_millirate: 2_500 },
    ]);
    expect(buildArrival(ramp, 20_000).stages).toHaveLength(1);
  });
});

describe('buildArrival of a process', () => {
  it('keeps it, its burstiness and its most calls, and holds no rate in a closed loop', () => {
    const gamma = { process: 'gamma', burstiness: 0.25, concurrency: null, max_calls: 9 } as const;
    expect(buildArrival({ ...gamma, millirate: 150, stages: [] }, 60_000)).toMatchObject(gamma);
    const closed = { ...EVEN, concurrency: 4, millirate: 0, stages: [] };
    expect(buildArrival(closed, 60_000)).toMatchObject({
      concurrency: 4,
      stages: [{ duration_ms: 60_000, from_millirate: 0, to_millirate: 0 }],
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { ScenarioPlan } from '../contracts/plan.ts';
import {
  arrivalOf,
  PLAIN_HTTP,
  scenarioOf,
  stageOf,
  textOf,
  workloadOf,
} from '../workload/plan.test-support.ts';
import { peakMillirate, rpsShortfall } from './peak-rate.ts';

const rising = arrivalOf({ stages: [stageOf(10_000, 0, 3_000)] });
const falling = arrivalOf({ stages: [stageOf(10_000, 3_000, 0)] });

describe('peakMillirate', () => {
  it('is the highest sum at any moment, jumps included', () => {
    const plateau = arrivalOf({ stages: [stageOf(20_000, 1_000, 4_000), stageOf(20_000, 4_000)] });
    expect(peakMillirate([rising, falling])).toBe(3_000);
    expect(peakMillirate([plateau, rising])).toBe(2_500 + 3_000);
    expect(peakMillirate([])).toBe(0);
    const jump = arrivalOf({ stages: [stageOf(1_000, 1_000), stageOf(1_000, 9_000, 0)] });
    expect(peakMillirate([jump])).toBe(9_000);
  });
});

describe('rpsShortfall', () => {
  const short = (rps: number | null, ...scenarios: ScenarioPlan[]) =>
    rpsShortfall(workloadOf({ scenarios, http: { ...PLAIN_HTTP, rps } }));

  it('is what a limit lacks of the highest rate of all scenarios together', () => {
    const two = [scenarioOf({ arrival: rising }), scenarioOf({ name: 'other' })];
    expect(short(3, ...two)).toEqual({ rps: 3, planned: 4 });
    expect(short(4, ...two)).toBeNull();
    expect(short(null, ...two)).toBeNull();
  });

  it('counts the turns of a session, and the starts of a trace on average', () => {
    const session = { turns: [1, 3], think_ms: 100 };
    expect(short(2, scenarioOf({ text: textOf({ session }) }))).toEqual({ rps: 2, planned: 3 });
    const trace = { file: 'trace.ndjson', sha256: '', calls: 50 };
    const traced = scenarioOf({ arrival: arrivalOf({ stages: [stageOf(10_000, 0)], trace }) });
    expect(short(4, traced)).toEqual({ rps: 4, planned: 5 });
    expect(short(5, traced)).toBeNull();
  });
});

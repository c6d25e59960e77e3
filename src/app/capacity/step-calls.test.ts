import { expect, it } from 'vitest';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Objective, Plan, ScenarioPlan } from '../../contracts/plan.ts';
import { planOf, scenarioPlan } from '../../measure/ledger.test-support.ts';
import { arrivalOf, objectiveOf, stageOf, textOf } from '../../workload/plan.test-support.ts';
import { refuseSearch, tooFewPlanned } from './step-calls.ts';
import { decisiveCalls } from './step-evidence.ts';

it.each([
  [50, 5],
  [90, 29],
  [95, 59],
  [97.5, 119],
  [99, 299],
  [99.9, 2995],
  [99.99, 29_956],
])('a p%d needs %d calls with none over, by the exact binomial test at 95 %%', (percentile, calls) => {
  expect(decisiveCalls(percentile)).toBe(calls);
});

const p = (percentile: number, measure: Objective['measure'] = 'e2e_ms') =>
  objectiveOf({ measure, percentile, max: 600 });

/** `rate` starts a second for a minute, unless said otherwise. */
function plan(rate: number, objectives: readonly Objective[], changes: Partial<ScenarioPlan> = {}): Plan {
  const arrival = arrivalOf({ stages: [stageOf(60_000, rate * 1000)] });
  const made = planOf([scenarioPlan({ arrival, ...changes })], objectives);
  return { ...made, workload: { ...made.workload, duration_ms: 60_000 } };
}

it('a step plans enough calls, or is short of them by a factor', () => {
  expect(tooFewPlanned(plan(1, [p(95)]))).toEqual([]);
  expect(tooFewPlanned(plan(0.5, [p(95)]))).toEqual([
    { why: 'chat plans 30 calls for e2e_ms p95 and needs 59', factor: 59 / 30 },
  ]);
  expect(tooFewPlanned(plan(4, [p(99)]))).toMatchObject([{ why: expect.stringContaining('needs 299') }]);
  expect(tooFewPlanned(plan(0.1, [objectiveOf()]))).toMatchObject([
    { why: 'chat plans 6 calls for error_share and needs 20' },
  ]);
  expect(tooFewPlanned(plan(0.1, [objectiveOf({ measure: 'usd_per_1000_good', max_usd: '1' })]))).toEqual([]);
});

it('counts what has the time, in the measured time alone; a closed loop plans no number', () => {
  const half = textOf({ stream_share: 0.5 });
  expect(tooFewPlanned(plan(1, [p(95, 'ttft_ms')], { text: half }))).toMatchObject([
    { why: 'chat plans 30 calls for ttft_ms p95 and needs 59' },
  ]);
  expect(tooFewPlanned(plan(1, [p(95)], { text: half }))).toEqual([]);
  const turns = textOf({ session: { turns: [2, 4], think_ms: 0 } });
  expect(tooFewPlanned(plan(0.25, [p(95)], { text: turns }))).toEqual([]);
  const warm = plan(1, [p(95)]);
  const phases = { ...warm, workload: { ...warm.workload, warm_up_ms: 20_000, cool_down_ms: 10_000 } };
  expect(tooFewPlanned(phases)).toMatchObject([{ why: 'chat plans 30 calls for e2e_ms p95 and needs 59' }]);
  const loop = arrivalOf({ stages: [stageOf(60_000, 0)], concurrency: 1 });
  expect(tooFewPlanned(plan(1, [p(95)], { arrival: loop }))).toEqual([]);
});

it('a search whose first step can decide nothing is refused, with what would decide it', () => {
  expect(() => refuseSearch(plan(1, [p(95)]), { from: 1 })).not.toThrow();
  const refused = (): void => refuseSearch(plan(1, [p(95), p(99)]), { from: 0.5 });
  expect(refused).toThrow(WeighbridgeError);
  try {
    refused();
  } catch (error) {
    expect(error).toMatchObject({
      code: 'capacity_too_few_calls',
      exitCode: 2,
      message:
        'A step of --find-capacity has too few calls to judge its objectives: chat plans 30 calls for e2e_ms p95 and needs 59; chat plans 30 calls for e2e_ms p99 and needs 299.',
      hint: 'Give --step 598s, or give --from 4.99. Nothing was charged.',
    });
  }
});

it('refuses the search of a trace, which has no rates', () => {
  const arrival = arrivalOf({ trace: { file: 'trace.ndjson', sha256: '', calls: 1 } });
  expect(() => refuseSearch(plan(1, [p(95)], { arrival }), { from: 1 })).toThrow(/replays a trace/);
});

import { expect, it } from 'vitest';
import { arrivalOf, planOf, scenarioOf, stageOf, workloadOf } from '../workload/plan.test-support.ts';
import { stepPlan } from './step-plan.ts';

const plan = planOf({
  workload: workloadOf({
    scenarios: [
      scenarioOf({ arrival: arrivalOf({ stages: [stageOf(1_000, 0, 1_501), stageOf(2_000, 1_501)] }) }),
      scenarioOf({ name: 'loop', arrival: arrivalOf({ stages: [stageOf(3_000, 0)], concurrency: 3 }) }),
    ],
  }),
});

it('scales rates and calls under way, and nothing else that is planned', () => {
  const step = stepPlan(plan, { instance: 'step2', scale: 1.5 });
  expect(step.workload.scenarios.map(({ arrival }) => [arrival.stages, arrival.concurrency])).toEqual([
    [[stageOf(1_000, 0, 2_252), stageOf(2_000, 2_252)], null],
    [[stageOf(3_000, 0)], 5],
  ]);
  expect(step.workload.scenarios[0]?.max_in_flight).toBe(plan.workload.scenarios[0]?.max_in_flight);
  expect({ ...step.workload, scenarios: [] }).toEqual({ ...plan.workload, scenarios: [] });
  expect(step.cap).toEqual(plan.cap);
});

it('has a run id of its own, so that no call of it is taken for one of another step', () => {
  const step = stepPlan(plan, { instance: 'step2', scale: 2 });
  expect(step.run_id).toBe(`${plan.run_id}-step2`);
  expect(step.plan_hash).not.toBe(plan.plan_hash);
});

it('never scales a rate to nothing', () => {
  const step = stepPlan(plan, { instance: 'step1', scale: 0.0001 });
  expect(step.workload.scenarios[0]?.arrival.stages[1]).toMatchObject({ from_millirate: 1 });
  expect(step.workload.scenarios[1]?.arrival.concurrency).toBe(1);
});

it.each([
  [4, 2, 8, 8],
  [40, 2, 8, 80],
  [5, 0.1, 1, 1],
])('gives a closed loop of 4 with room for %i at a factor of %d %i calls and room for %i', (...row) => {
  const [max_in_flight, scale, concurrency, room] = row;
  const loop = scenarioOf({ max_in_flight, arrival: arrivalOf({ concurrency: 4 }) });
  const { scenarios } = stepPlan(planOf({ workload: workloadOf({ scenarios: [loop] }) }), {
    instance: 'step2',
    scale,
  }).workload;
  expect(scenarios).toMatchObject([{ max_in_flight: room, arrival: { concurrency } }]);
});

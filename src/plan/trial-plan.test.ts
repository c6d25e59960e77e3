import { expect, test } from 'vitest';
import { trialPlan } from '../app/run/run-trial.ts';
import { arrivalOf, planOf, scenarioOf, textOf, workloadOf } from '../workload/plan.test-support.ts';

const chat = scenarioOf({
  arrival: arrivalOf({ process: 'poisson', concurrency: 4 }),
  abort: { share: 1, after_ms: 10, after_events: null },
  text: textOf({
    max_tokens: [400, 900],
    prompt_bytes: [100, 200],
    session: { turns: 3, think_ms: 1000 },
  }),
});
const image = scenarioOf({ name: 'image', kind: 'image', text: null });
const plan = planOf({
  workload: workloadOf({ warm_up_ms: 2000, cool_down_ms: 1000, scenarios: [chat, image] }),
});

test('the trial is one whole call of each scenario at once, with a limit that shows whether it binds', () => {
  const { workload, run_id, plan_hash, cap } = trialPlan(plan);
  expect(run_id).toBe('run-1-trial');
  expect(plan_hash).not.toBe(plan.plan_hash);
  expect(cap).toEqual(plan.cap);
  expect(workload.scenarios.map(({ name, arrival, abort }) => ({ name, arrival, abort }))).toEqual(
    ['chat', 'image'].map((name) => ({
      name,
      arrival: arrivalOf({
        stages: [{ duration_ms: 1000, from_millirate: 1000, to_millirate: 1000 }],
        max_calls: 1,
      }),
      abort: null,
    })),
  );
  expect(workload.scenarios.map(({ text }) => text)).toEqual([
    { ...chat.text, max_tokens: 16, session: null },
    null,
  ]);
  expect([workload.warm_up_ms, workload.cool_down_ms, workload.objectives]).toEqual([0, 0, []]);
});

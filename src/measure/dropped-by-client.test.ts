import { expect, it } from 'vitest';
import type { Plan, RunLimits } from '../contracts/plan.ts';
import { arrivalOf, NO_LIMITS, scenarioStateOf, textOf } from '../workload/plan.test-support.ts';
import { droppedByClient } from './client-verdict.ts';
import { planOf, scenarioPlan, stateLine } from './ledger.test-support.ts';

const loop = scenarioPlan({
  name: 'loop',
  model: 'a',
  arrival: arrivalOf({ concurrency: 9 }),
  max_in_flight: 9,
});
const open = scenarioPlan({ name: 'open', model: 'b', max_in_flight: 50 });
const session = { turns: 3, think_ms: 1_000 };

function planWith(limits: Partial<RunLimits>, scenarios = [loop, open]): Plan {
  return { ...planOf(scenarios), limits: { ...NO_LIMITS, ...limits } };
}

/** Two seconds of an instance: in the second one three starts of `open` are dropped. */
function seconds(loopInFlight: number, openInFlight = 0, instance = 'i1') {
  return [0, 3].map((dropped, second) =>
    stateLine(
      {},
      {
        instance,
        elapsed_ms: second * 1_000,
        scenarios: [
          scenarioStateOf({ scenario: 'loop', in_flight: loopInFlight }),
          scenarioStateOf({ scenario: 'open', in_flight: openInFlight, dropped }),
        ],
      },
    ),
  );
}

it('blames no client for a limit that another scenario fills', () => {
  expect(droppedByClient(planWith({ max_in_flight: 9 }), seconds(9))).toBe(0);
  expect(droppedByClient(planWith({ max_in_flight: 9 }), seconds(4))).toBe(3);
  expect(droppedByClient(planWith({ max_in_flight: 9 }), seconds(3, 2))).toBe(0);
});

it('counts for the limit of a model the scenarios that call it, and no other', () => {
  const limits = { max_in_flight_by_model: { b: 9 } };
  expect(droppedByClient(planWith(limits), seconds(9))).toBe(3);
  expect(droppedByClient(planWith(limits, [{ ...loop, model: 'b' }, open]), seconds(9))).toBe(0);
});

it('judges nothing that shares a limit with what can hold a place unseen', () => {
  const thinking = { ...loop, text: textOf({ session }) };
  expect(droppedByClient(planWith({ max_in_flight: 9 }, [thinking, open]), seconds(0))).toBe(0);
  expect(droppedByClient(planWith({}, [thinking, open]), seconds(0))).toBe(3);
  expect(droppedByClient(planWith({}, [loop, { ...open, text: textOf({ session }) }]), seconds(0))).toBe(0);
});

it('takes an instance for what its own share allows', () => {
  const states = [...seconds(0, 0, 'i1'), ...seconds(0, 0, 'i2')];
  expect(droppedByClient(planWith({ max_in_flight: 9 }), states)).toBe(6);
  // One of the two has no place at all.
  expect(droppedByClient(planWith({ max_in_flight: 1 }), states)).toBe(0);
});

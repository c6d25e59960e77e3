import { expect, test } from 'vitest';
import { formatInstant } from '../../core/time.ts';
import {
  arrivalOf,
  objectiveOf,
  planOf,
  scenarioOf,
  scenarioStateOf,
  stateOf,
  workloadOf,
} from '../../workload/plan.test-support.ts';
import { LiveLoad } from './live-load.ts';

const ZERO = Date.parse('2026-11-20T10:00:00.000Z');
const chat = scenarioOf();
const second = scenarioOf({ name: 'chat-b' });
const loop = scenarioOf({ name: 'loop', kind: 'messages', arrival: arrivalOf({ concurrency: 4 }) });

function loadOf(capUsd: string | null = null): LiveLoad {
  const workload = workloadOf({ duration_ms: 60_000, scenarios: [chat, second, loop] });
  return new LiveLoad(
    planOf({ workload, cap: { max_spend_usd: capUsd, by_scenario: {}, by_model: {}, bounds: [] } }),
    'i0',
  );
}

const at = (s: number, planned: number, started: number, over: Parameters<typeof stateOf>[0] = {}) =>
  stateOf({
    at: formatInstant(ZERO + s * 1_000),
    elapsed_ms: s * 1_000,
    scenarios: ['chat', 'chat-b', 'loop'].map((scenario) =>
      scenarioStateOf({ scenario, planned, started, dropped: planned - started, in_flight: 1 }),
    ),
    ...over,
  });

test('rates are of the last ten seconds, and of the scenarios of a kind together', () => {
  const load = loadOf();
  // 1 a second due in each scenario for 20 s, then 3; all are started until then, 2 of 3 after.
  for (let s = 0; s <= 20; s += 1) load.onState(at(s, s, s));
  let shown = load.onState(at(20, 20, 20));
  for (let s = 21; s <= 30; s += 1) shown = load.onState(at(s, 20 + (s - 20) * 3, 20 + (s - 20) * 2));
  const [chats, loops] = shown.kinds;
  expect([chats?.kind, chats?.asked_rate, chats?.started_rate, chats?.in_flight]).toEqual(['chat', 6, 4, 2]);
  // A closed loop asks for calls under way, not for starts.
  expect([loops?.kind, loops?.asked_rate, loops?.started_rate]).toEqual(['messages', null, 2]);
  expect([shown.total.asked_rate, shown.total.started_rate]).toEqual([null, 6]);
});

test('before a second line there is no rate, and after a halt nothing is due', () => {
  const load = loadOf();
  expect(load.onState(at(1, 1, 1)).total.started_rate).toBeNull();
  load.onState(at(2, 2, 2));
  const [halted] = load.onState(at(3, 60, 2, { halted: 'spend_cap' })).kinds;
  expect([halted?.asked_rate, halted?.started_rate]).toEqual([null, 1]);
});

test('time left is until the last start, then until the last call is cut, and unknown after a halt', () => {
  const load = loadOf();
  const leftAt = (s: number, over = {}) => {
    const { left_ms, draining } = load.onState(at(s, 1, 1, over));
    return [left_ms, draining];
  };
  expect(leftAt(23)).toEqual([37_000, false]);
  expect(leftAt(61)).toEqual([4_000, true]);
  expect(leftAt(70)).toEqual([0, true]);
  expect(leftAt(5, { halted: 'interrupted' })).toEqual([null, true]);
});

test('spend stands beside its cap as decimal text', () => {
  const { spend } = loadOf('2').onState(at(1, 1, 1, { reserved_usd: '0.123456789012' }));
  expect(spend).toEqual({ at_most_usd: '0.123456789012', cap_usd: '2' });
});

test('an objective is held to what is known so far; what only the report knows is neither met nor missed', () => {
  const objectives = [
    objectiveOf({ scenario: 'chat', measure: 'dropped_share', max: 0.1 }),
    objectiveOf({ scenario: 'chat-b', measure: 'dropped_share', max: 0.5 }),
    objectiveOf({ scenario: 'chat', measure: 'ttft_ms', percentile: 95, max: 100 }),
    objectiveOf({ scenario: 'chat', measure: 'goodput_rate', max: null, min: 1 }),
  ];
  const workload = workloadOf({ duration_ms: 60_000, scenarios: [chat, second, loop], objectives });
  const load = new LiveLoad(planOf({ workload }), 'i0');
  const scenarios = [
    scenarioStateOf({ scenario: 'chat', planned: 10, started: 8, dropped: 2 }),
    scenarioStateOf({ scenario: 'chat-b', planned: 10, started: 6, dropped: 4 }),
  ];
  const shown = load.onState(at(2, 10, 8, { scenarios })).objectives;
  expect(shown.map(({ actual, met }) => [actual, met])).toEqual([
    [0.2, false],
    [0.4, true],
    [null, null],
    [null, null],
  ]);
});

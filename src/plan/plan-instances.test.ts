import { expect, test } from 'vitest';
import { arrivalOf, NO_LIMITS, PLAIN_HTTP, scenarioOf, workloadOf } from '../workload/plan.test-support.ts';
import { CHAT, LOCAL, resolve } from './plan.test-support.ts';
import { checkInstances, shareOf } from './plan-instances.ts';

const SCENARIOS = [scenarioOf({ max_in_flight: 10, model: 'm' })];

const check = (instances: number, limits = {}, workload = {}) =>
  checkInstances(
    { limits: { ...NO_LIMITS, ...limits }, workload: workloadOf({ scenarios: SCENARIOS, ...workload }) },
    instances,
  );

test.each([
  [
    { max_in_flight: 2 },
    'limits.max_in_flight must be at least 3, so that chat has a place in each of 3 instances. It is 2.',
  ],
  [
    { max_in_flight_by_model: { m: 2 } },
    'models.m.max_in_flight must be at least 3, so that chat has a place in each of 3 instances. It is 2.',
  ],
])('a limit below the number of instances is refused when planned: %j', (limits, what) => {
  expect(() => check(3, limits)).toThrow(
    expect.objectContaining({ code: 'instances_without_place', exitCode: 2, message: what }),
  );
  expect(() => check(2, limits)).not.toThrow();
});

test('a limit need not reach further than the places of its scenario, nor that of another model', () => {
  const small = { scenarios: [...SCENARIOS, scenarioOf({ name: 'few', model: 'n', max_in_flight: 1 })] };
  expect(() => check(3, { max_in_flight_by_model: { n: 1, other: 1 } }, small)).not.toThrow();
});

test.each([
  ['max_in_flight', { scenarios: [scenarioOf({ max_in_flight: 2 })] }],
  ['a closed loop', { scenarios: [scenarioOf({ arrival: arrivalOf({ concurrency: 2 }) })] }],
  ['virtual users', { calls_per_vu: 5 }],
])('more instances than places, by %s, would leave some with nothing to start', (_, workload) => {
  expect(() => check(3, {}, workload)).toThrow(/The largest has 2 /);
  expect(() => check(2, {}, workload)).not.toThrow();
});

test('http.rps is of all instances together: one each at least', () => {
  const slow = (rps: number) => ({ http: { ...PLAIN_HTTP, rps } });
  expect(() => check(3, {}, slow(2))).toThrow(/http.rps must be at least 3/);
  expect(() => check(3, {}, slow(3))).not.toThrow();
});

test('the share of the cap is rounded down, so that all together never pass it', () => {
  expect(shareOf('2.00', 3)).toBe('0.666666666666');
  expect(shareOf('2.00', 1)).toBe('2');
});

test('the plan names its instances outside the hash, and tells calls that no share of the cap holds', () => {
  const [one, three] = [undefined, 3].map((instances) => resolve(CHAT, LOCAL, { instances }));
  expect(one?.plan).not.toHaveProperty('instances');
  expect(three?.plan).toMatchObject({ instances: 3, plan_hash: one?.plan.plan_hash });
  const call = Number(one?.forecast.scenarios[0]?.call_usd);
  const tight = { ...LOCAL, maxSpendUsd: (call * 2).toFixed(12) };
  const noted = [1, 3].map((instances) => resolve(CHAT, tight, { instances }).notes.join());
  expect(noted[0]).not.toContain('none of its calls is sent');
  expect(noted[1]).toContain("an instance's share of the cap is $");
  expect(() => resolve(`${CHAT}\nlimits: { max_in_flight: 2 }`, LOCAL, { instances: 3 })).toThrow(
    /limits.max_in_flight must be at least 3/,
  );
});

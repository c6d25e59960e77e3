import { expect, test } from 'vitest';
import type { GuardFlags } from '../config/guard-flags.ts';
import type { LineFlags } from '../config/line-traffic.ts';
import { DEFAULT_PLAN_FILE, loadConfig } from '../config/load-config.ts';
import type { ConfigFlags } from '../config/settings.ts';
import { configOf } from './plan.test-support.ts';
import { planTarget } from './plan-target.ts';
import { resolvePlan } from './resolve-plan.ts';

type Flags = ConfigFlags & GuardFlags & LineFlags;

/** The plan of a line on a server that has no prices. */
function plan(flags: Flags, config = loadConfig({ file: DEFAULT_PLAN_FILE, env: {}, flags })) {
  const target = planTarget(config.target);
  if (target === null) throw new Error('expected a target');
  return resolvePlan({
    config,
    target: { ...target, bill: 'none' },
    book: null,
    listedModels: ['m'],
    runId: 'r',
    nonce: 'n',
    now: Date.parse('2026-11-24'),
  });
}

const HERE = { target: 'http://127.0.0.1:8000', rate: '2/s' };
const ABROAD = { target: 'https://model.example', rate: '2/s' };

test('a server on loopback is loaded without a cap, a number of calls or a guess', () => {
  const { plan: planned, forecast, stopped } = { ...plan(HERE), stopped: plan(HERE).plan.stopped };
  expect(planned.cap).toEqual({ max_spend_usd: null, by_scenario: {}, by_model: {}, bounds: [] });
  expect(planned.target.bill).toBe('none');
  expect([forecast.total.calls, stopped]).toEqual([120, []]);
});

test.each<[Flags, RegExp]>([
  [ABROAD, /the cost of its calls is unknown\.$/],
  [{ ...ABROAD, maxSpendUsd: '1' }, /A cap of \$1 alone cannot be kept/],
  [{ ...HERE, maxSpendUsd: '1' }, /A cap of \$1 alone/],
])('what could cost without end is refused: %o', (flags, message) => {
  const refused = {
    code: 'spend_unbounded',
    exitCode: 2,
    hint: expect.stringMatching(/--max-calls N\. Or give --assume-usd-per-call X/),
  };
  expect(() => plan(flags)).toThrow(expect.objectContaining(refused));
  expect(() => plan(flags)).toThrow(message);
});

test('a number of calls bounds the starts, and a guess makes one of the cap', () => {
  expect(plan({ ...ABROAD, maxCalls: '7' }).forecast.total.calls).toBe(7);
  const guessed = plan({ ...ABROAD, assumeUsdPerCall: '0.03', maxSpendUsd: '1.00' });
  expect(guessed.forecast.total.calls).toBe(33);
  // No known amount: the load engine is told of no cap.
  expect(guessed.plan.cap).toMatchObject({ max_spend_usd: null, assumed_usd_per_call: '0.03', bounds: [] });
  expect(guessed.notes).toContain('your guess: $0.03 a call; real spend is not known');
  expect(
    plan({ ...ABROAD, assumeUsdPerCall: '0.03', maxSpendUsd: '1', maxCalls: '5' }).forecast.total.calls,
  ).toBe(5);
});

test('attempts and turns count, and scenarios share', () => {
  const traffic = (entry: string) =>
    plan({}, configOf(`target: {url: "http://127.0.0.1:8"}\nduration: 10s\nspend: {max_calls: 12}\n${entry}`))
      .plan;
  const starts = (entry: string) => traffic(entry).workload.scenarios.map(({ arrival }) => arrival.max_calls);
  expect(starts('retry: {max_attempts: 2}\ntraffic: [{kind: chat, rate: 3/s}]')).toEqual([6]);
  expect(starts('traffic: [{kind: chat, rate: 3/s, session: {turns: 4}}]')).toEqual([3]);
  expect(starts('traffic: [{kind: chat, rate: 3/s}, {kind: responses, rate: 1/s}]')).toEqual([9, 3]);
  expect(starts('traffic: [{kind: chat, concurrency: 2}, {kind: responses, rate: 1/s}]')).toEqual([6, 6]);
  expect(traffic('traffic: [{kind: chat, rate: 3/s, session: {turns: 20}}]').stopped).toMatchObject([
    { scenario: 'chat', reason: 'of 12 calls at most none is left for it' },
  ]);
});

test('the refusal of a load on a server of others prints the flag that allows it', () => {
  const fast = { ...ABROAD, rate: '10/s', maxCalls: '50' };
  expect(() => plan(fast)).toThrow(/reaches 10\/s and 50 calls in flight/);
  expect(() => plan(fast)).toThrow(
    expect.objectContaining({
      code: 'permission_needed',
      hint: expect.stringContaining('--permission NAME:YYYY-MM-DD'),
    }),
  );
  expect(plan({ ...fast, permission: 'ops:2026-12-31' }).forecast.total.calls).toBe(50);
  const loop = { target: ABROAD.target, concurrency: '20', requestCount: '50', maxCalls: '50' };
  expect(plan({ ...loop, permission: 'ops:2026-12-31' }).forecast.total.calls).toBe(50);
  expect(() => plan({ ...fast, permission: 'ops:2026-11-01' })).toThrow(/ended at 2026-11-01/);
});

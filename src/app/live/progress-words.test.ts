import { expect, test } from 'vitest';
import type { StateLine } from '../../contracts/ledger-lines.ts';
import {
  arrivalOf,
  planOf,
  scenarioOf,
  scenarioStateOf,
  workloadOf,
} from '../../workload/plan.test-support.ts';
import { loadOf, twoKindsAt } from './live.test-support.ts';
import { LiveLoad } from './live-load.ts';
import { progressLine, timeWords } from './progress-words.ts';

function lineOf(state: StateLine, capUsd: string | null): string {
  const scenarios = ['chat', 'video', 'old'].map((name) => scenarioOf({ name, arrival: arrivalOf() }));
  const workload = workloadOf({ duration_ms: 60_000, drain_ms: 40_000, scenarios });
  const cap = { max_spend_usd: capUsd, by_scenario: {}, by_model: {}, bounds: [] };
  return progressLine(new LiveLoad(planOf({ workload, cap }), 'i0').onState(state));
}

test('the line sums the scenarios and shows spend against the cap', () => {
  expect(lineOf(twoKindsAt(12_400), '2')).toBe(
    '12 s of 60 · 48 s left  started 18 of 20 due  in flight 4  calls ok 12  failed 2  dropped 2  spent at most $0.5 of $2 (25 %)',
  );
  expect(lineOf(twoKindsAt(1_000, { halted: 'spend_cap', reserved_usd: null }), '2')).toContain(
    'no further starts: spend_cap',
  );
});

test('after the planned time the line says what was planned, and after a halt that not all of it was due', () => {
  expect(lineOf(twoKindsAt(60_000), null)).toContain(
    '60 s of 60 · waiting for 4 calls in flight, cut after another 40 s  started 18 of 20 due',
  );
  expect(lineOf(twoKindsAt(88_000), null)).toContain(
    '88 s (60 planned) · waiting for 4 calls in flight, cut after another 12 s  started 18 of 20 due',
  );
  const ended = { planned: 10, started: 9, finished: 9, ok: 9, in_flight: 0 };
  const scenarios = [scenarioStateOf(ended), scenarioStateOf({ ...ended, scenario: 'video' })];
  expect(lineOf(twoKindsAt(61_000, { scenarios }), null)).toContain(
    '61 s (60 planned) · all calls ended  started 18 of 20 due',
  );
  const halted = lineOf(twoKindsAt(1_000, { halted: 'spend_cap' }), null);
  expect(halted).toContain('1 s of 60 · no further starts: spend_cap  started 18 of 20 planned');
});

test('what was held and what was not sent are no failures, and were not started', () => {
  const chat = { planned: 10, started: 6, dropped: 0, held: 4, finished: 3, ok: 3, not_sent: 3 };
  const scenarios = [scenarioStateOf(chat), scenarioStateOf({ scenario: 'video', not_sent: null })];
  expect(lineOf(twoKindsAt(5_000, { scenarios, reserved_usd: null }), null)).toBe(
    '5 s of 60 · 55 s left  started 3 of 10 due  in flight 0  calls ok 3  failed 0  dropped 0  held 4  not sent 3',
  );
});

test('a call that is made again fails once at most, and one that was cut on purpose does not', () => {
  const chat = { planned: 9, started: 9, finished: 12, ok: 4, aborted: 2, retried: 5 };
  const old = scenarioStateOf({ scenario: 'old', finished: 3, ok: 2, aborted: null, retried: null });
  expect(lineOf(twoKindsAt(5_000, { scenarios: [scenarioStateOf(chat), old] }), null)).toContain(
    'calls ok 6  failed 2  dropped 0  aborted 2  spent',
  );
});

test('a load of counted calls tells how many of them were started, not the time that they may take', () => {
  const total = { ...loadOf().total, started: 12 };
  const counted = loadOf({
    elapsed_ms: 3_000,
    planned_ms: 3_600_000,
    left_ms: 3_597_000,
    planned_calls: 20,
    total,
  });
  expect(timeWords(counted)).toBe('3 s · 12 of 20 calls started');
  expect(timeWords({ ...counted, draining: true, left_ms: 30_000 })).toContain('in flight');
});

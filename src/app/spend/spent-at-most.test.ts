import { expect, test } from 'vitest';
import type { LedgerHeader } from '../../contracts/ledger-lines.ts';
import { LEDGER_SCHEMA } from '../../contracts/schema-names.ts';
import { errorRow, intentOf } from '../../reconcile/rows.test-support.ts';
import { stateOf, workloadOf } from '../../workload/plan.test-support.ts';
import { mayRunElsewhere, spentAtMost } from './run-budget.ts';

const PLAN = { cap: { max_spend_usd: '2', by_scenario: {}, by_model: {}, bounds: [] } };
const USD = 10n ** 12n;

function header(instance: string): LedgerHeader {
  return {
    schema: LEDGER_SCHEMA,
    run_id: 'run-1',
    instance,
    file: 0,
    segment: null,
    seed: null,
    clock: { wall: '2026-11-20T10:00:00.000Z', mono_ms: 0 },
    plan_hash: null,
    key_fp: null,
    cores: 1,
    versions: { weighbridge: '0', k6: '0', go: '0' },
  };
}

const intent = (name: string, usd: string | null, instance = 'i0') =>
  intentOf(name, { worst_case_usd: usd, instance });
const EMPTY = { headers: [], intents: [], rows: [], states: [], problems: [] };

test('of engines that ended in order it is what each held of its cap in its last line', () => {
  const states = [
    stateOf({ instance: 'trial', reserved_usd: '0.25' }),
    stateOf({ reserved_usd: '9', final: false }),
    stateOf({ reserved_usd: '0.5' }),
  ];
  const intents = [intent('a', '7')];
  const headers = [header('trial'), header('i0')];
  expect(spentAtMost({ ...EMPTY, headers, states, intents }, PLAN)).toBe((3n * USD) / 4n);
});

test('of one that was killed each call counts at its worst case that no row says to be less', () => {
  const rows = [errorRow('refused', 429, { worst_case_usd: '0.5' })];
  const intents = [intent('refused', '0.5'), intent('in-flight', '0.25')];
  const states = [stateOf({ reserved_usd: '0', final: false })];
  const ledger = { ...EMPTY, headers: [header('i0')], rows, intents, states };
  expect(ledger.rows[0]?.call_id).toBe(intents[0]?.call_id);
  expect(spentAtMost(ledger, PLAN)).toBe(USD / 4n);
});

test('a k6 of a plan for several may go on where its ledger is open, for as long as the plan lasts', () => {
  const at = Date.UTC(2026, 10, 20, 10, 0, 10);
  const plan = { instances: 2, workload: workloadOf({ duration_ms: 60_000, drain_ms: 30_000 }) };
  const ledger = { ...EMPTY, headers: [header('i0'), header('i1')] };
  const closed = { ...ledger, states: [stateOf(), stateOf({ instance: 'i1' })] };
  const open = { ...ledger, states: [stateOf({ final: false }), stateOf({ instance: 'i1' })] };
  const until = at + 150_000;
  expect(mayRunElsewhere(closed, plan, at)).toBeNull();
  expect(mayRunElsewhere(open, plan, until)).toBe(
    'the ledger of i0 was not closed, and a k6 of this plan may run until 2026-11-20T10:02:40.000Z',
  );
  expect(mayRunElsewhere(open, plan, until + 1)).toBeNull();
  // A run of our own tells by its mark whether its engine runs.
  expect(mayRunElsewhere(open, { workload: plan.workload }, at)).toBeNull();
});

test('a ledger that does not tell leaves the whole cap reserved; one without a file has cost nothing', () => {
  const headers = [header('i0')];
  expect(spentAtMost({ ...EMPTY, headers, intents: [intent('a', null)] }, PLAN)).toBeNull();
  expect(spentAtMost({ ...EMPTY, headers, states: [stateOf({ reserved_usd: null })] }, PLAN)).toBeNull();
  expect(spentAtMost(EMPTY, PLAN)).toBe(0n);
});

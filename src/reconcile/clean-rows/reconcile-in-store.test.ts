import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import { SUSPENSE_SCHEMA, type SuspenseItem } from '../../contracts/suspense.ts';
import { scenarioStateOf, stateOf } from '../../workload/plan.test-support.ts';
import type { ReconcileInput } from '../input/reconcile-input.ts';
import { inputOf, recordOf } from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';
import { START_MS, textRow } from '../rows.test-support.ts';
import { HEADER, textOf } from './acceptance.test-support.ts';
import { shownOf, worldOf } from './random-world.test-support.ts';
import { acceptanceTerms, reconcileInStore, type StoredJudgement } from './reconcile-in-store.ts';

async function inStore(world: ReconcileInput): Promise<StoredJudgement | { readonly declined: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-in-store-'));
  const [calls, usage] = [join(dir, 'calls.ndjson'), join(dir, 'records.ndjson')];
  const { ledger, records } = world;
  writeFileSync(calls, textOf([HEADER, ...ledger.intents, ...ledger.rows, ...ledger.states]));
  writeFileSync(usage, textOf(records));
  const done = await reconcileInStore(
    world,
    { ledger: [calls], records: [usage] },
    { memory_bytes: 1_000_000_000, dir },
  );
  expect(readdirSync(dir).sort()).toEqual(['calls.ndjson', 'records.ndjson']);
  return done;
}

async function judged(world: ReconcileInput): Promise<StoredJudgement> {
  const done = await inStore(world);
  if ('declined' in done) throw new Error(done.declined);
  return done;
}

/** Of a call each that is right, but for what `changes` makes of its record. */
function plainWorld(
  count: number,
  changes: (index: number) => Readonly<Record<string, unknown>> = () => ({}),
): ReconcileInput {
  const names = Array.from({ length: count }, (_, index) => String(index));
  const records = names.map((name, index) => ({ ...recordOf(name), ...changes(index) }));
  return inputOf({
    rows: names.map((name) => textRow(name)),
    sweeps: [{ records, at_ms: START_MS + 48 * 3_600_000 }],
    key: 'exclusive',
  });
}

test.each([21, 22, 23, 24])('says what a judgement of every row says, world %i', async (seed) => {
  const world = worldOf(seed, 1_500);
  const { reconciliation, ledger } = await judged(world);
  expect(ledger.rows.length).toBeLessThan(world.ledger.rows.length * 0.8);
  expect(shownOf(reconciliation)).toEqual(shownOf(reconcile(world)));
});

test('keeps right calls together, and tells of them', async () => {
  const world = plainWorld(400, (index) =>
    index === 7 ? { amount: '0.0029', refunded_amount: '0.0071' } : {},
  );
  const { reconciliation, ledger } = await judged(world);
  expect(ledger.rows.length).toBeLessThan(300);
  expect(shownOf(reconciliation)).toEqual(shownOf(reconcile(world)));
  expect(reconciliation.money).toMatchObject({ charged: '1.1201', expected: '1.12', records: 400 });
  expect(reconciliation.coverage.settings.find(({ name }) => name === 'judged_together')?.value).toBe(
    String(400 - ledger.rows.length),
  );
});

test('tells rows that a ledger lacks, though most of them are judged together', async () => {
  const world = plainWorld(400);
  const { ledger } = world;
  // Of their own length: calls that a record without a call looks like are judged one by one.
  const longer = { input_tokens: 2000, amount: '0.0048', refunded_amount: '0.0052' };
  const { records } = plainWorld(400, (index) => (index < 2 ? longer : {}));
  const counts = { planned: 400, started: 400, finished: 400, ok: 400 };
  const states = [stateOf({ scenarios: [scenarioStateOf(counts)] })];
  const whole = await judged({ ...world, ledger: { ...ledger, states } });
  expect(whole.ledger.problems).toEqual([]);
  expect(whole.reconciliation.completeness.complete).toBe(true);
  const short = await judged({
    ...world,
    records,
    ledger: { ...ledger, states, rows: ledger.rows.slice(2) },
  });
  expect(short.ledger.rows.length).toBeLessThan(300);
  expect(short.ledger.problems).toMatchObject([
    { gap: true, what: 'calls.ndjson lacks 2 of 400 rows of all scenarios, by its last state line' },
  ]);
  expect(short.reconciliation.findings).toEqual([]);
  expect(short.reconciliation.money.unattributed).toEqual({ records: 2, amount: '0.0096' });
});

test('accepts anew where the rows are read otherwise than the rest alone would tell', async () => {
  // Records of calls with cached tokens decide; most of them are wrong, and stay with the rest.
  const usage = { input: 1000, output: 100, cache_read: 400, cache_write: 0, reasoning: null, raw: {} };
  const right = { input_tokens: 1000, cache_read_tokens: 400, amount: '0.0022', refunded_amount: '0.0078' };
  const names = Array.from({ length: 40 }, (_, index) => String(index));
  const world = inputOf({
    rows: names.map((name) => textRow(name, { usage })),
    sweeps: [
      {
        records: names.map((name, index) => ({
          ...recordOf(name),
          ...right,
          ...(index < 25 ? { input_tokens: 600, amount: '0.5', refunded_amount: '0' } : {}),
        })),
        at_ms: START_MS + 48 * 3_600_000,
      },
    ],
    key: 'exclusive',
  });
  const { reconciliation } = await judged(world);
  expect(shownOf(reconciliation)).toEqual(shownOf(reconcile(world)));
});

test('an item that an earlier run left open is judged by itself, and cleared', async () => {
  const item: SuspenseItem = {
    schema: SUSPENSE_SCHEMA,
    id: 'call:call-5',
    request_id: 'req-5',
    kind: 'chat',
    model: 'text-1',
    amount_lo: '0.0028',
    amount_hi: '0.0028',
    since: null,
    deadline_at: null,
    first_run: 'before',
    first_seen: null,
    last_run: 'before',
    state: 'open',
    cleared_by: null,
  };
  const world = { ...plainWorld(40), suspense: { run_id: 'now', opening: [item] } };
  const { reconciliation } = await judged(world);
  expect(reconciliation.suspense).toEqual(reconcile(world).suspense);
  expect(reconciliation.suspense).toMatchObject([{ state: 'cleared', cleared_by: 'record:rec-5' }]);
  const strange = { run_id: 'now', opening: [{ ...item, request_id: 'r"5' }] };
  expect(await inStore({ ...world, suspense: strange })).toHaveProperty('declined');
});

test.each<[string, Partial<ReconcileInput>]>([
  ['without a ledger', { basis: 'records' }],
  ['for a run, whose load is measured by its rows', { plan: { cap: { bounds: [] } } }],
  ['without a complete sweep', { reads: [] }],
  [
    'where settled means something else',
    { terms: { ...NO_TERMS, readings: { ...NO_TERMS.readings, status: { settled: 'pending' } } } },
  ],
])('accepts nothing %s', (_, changes) => {
  expect(acceptanceTerms({ ...plainWorld(2), ...changes })).toHaveProperty('declined');
});

test('accepts nothing of several keys at once', () => {
  const world = plainWorld(2);
  const ends = world.reads.map((read) => ({ ...read, key_fp: 'other' }));
  expect(acceptanceTerms({ ...world, reads: [...world.reads, ...ends] })).toHaveProperty('declined');
});

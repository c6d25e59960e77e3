import { expect, test } from 'vitest';
import { NO_TERMS } from '../../../contracts/billing-terms.ts';
import type { CoverageSetting } from '../../../contracts/coverage-result.ts';
import { formatInstant } from '../../../core/time.ts';
import {
  archivedBook,
  bookDocument,
  cutRow,
  type InputSpec,
  judge,
  recordOf,
  START_MS,
  START_S,
  textRow,
  totalsWith,
  VIDEO_RECORD,
  videoRow,
} from '../../reconcile.test-support.ts';

function kept(spec: InputSpec): readonly CoverageSetting[] {
  return judge(spec).coverage.settings.filter(({ basis }) => basis !== null);
}

function point(spec: InputSpec, name: string): CoverageSetting | undefined {
  return kept(spec).find((setting) => setting.name === name);
}

test('names each point that is read, in one order, and by what it is read', () => {
  const rows = kept({
    rows: [textRow('a')],
    sweeps: [
      {
        records: [recordOf('a')],
        totals: totalsWith({ settled_amount: '0.0028', refunded_amount: '0.0072' }),
      },
    ],
  });
  expect(rows.map(({ name, value, basis }) => `${name}: ${value} (${basis})`)).toEqual([
    'amount_meaning: net (records)',
    'unused_reserve: refunded (records)',
    'failed_task: not met (assumed)',
    'created_at: acceptance (assumed)',
    'rounding: half_up to 0.00000001 USD, once a record (book)',
    'price_edition: the version that the record names (records)',
    'factor: none (assumed)',
    'input_includes_cache: yes (book)',
    'output_includes_reasoning: yes (book)',
    'totals_settled: amount (totals)',
    'totals_pending: reserved (totals)',
    'totals_refunded: all (totals)',
    'request_id: told (calls)',
    'cut_stream: not met (assumed)',
    'status_settled: settled (word)',
  ]);
  expect(rows[0]).toMatchObject({ also: [], example: 'record:rec-a', changes: '0' });
  expect(rows[1]).toMatchObject({ example: 'record:rec-a', changes: '0' });
});

test('an amount that its records leave open is told with both meanings, and by what they differ', () => {
  const open = recordOf('a', { amount: '0.0028', reserved_amount: '0', refunded_amount: '0.001' });
  expect(point({ rows: [textRow('a')], sweeps: [{ records: [open] }] }, 'amount_meaning')).toMatchObject({
    value: 'net',
    basis: 'assumed',
    also: ['gross'],
    changes: '0.001',
  });
});

test('a reserve may end in two ways, and neither is held against it', () => {
  const records = [recordOf('a'), recordOf('b', { refunded_amount: '0' })];
  expect(
    point({ rows: [textRow('a'), textRow('b')], sweeps: [{ records }] }, 'unused_reserve'),
  ).toMatchObject({
    value: 'refunded or released',
    evidence:
      '1 settled records give a part back, 1 let go of it without a refund; each is judged by its amount',
  });
});

test('where cached tokens stand changes nothing while no record counts any', () => {
  const of = (cache_read_tokens: number): CoverageSetting | undefined =>
    point(
      { rows: [textRow('a')], sweeps: [{ records: [recordOf('a', { cache_read_tokens })] }] },
      'input_includes_cache',
    );
  expect([of(0)?.changes, of(1)?.changes]).toEqual(['0', null]);
});

test('records that contradict what is declared of cached tokens are counted beside it', () => {
  const usage = { input: 1000, output: 100, cache_read: 200, cache_write: 0, reasoning: null, raw: null };
  const terms = { readings: { ...NO_TERMS.readings, input_tokens: 'with_cache' as const } };
  const records = [recordOf('a', { cache_read_tokens: 200, input_tokens: 800 })];
  const spec: InputSpec = { rows: [textRow('a', { usage })], sweeps: [{ records }], terms };
  expect(point(spec, 'input_includes_cache')).toMatchObject({
    basis: 'declared',
    evidence:
      'declared in billing.readings.input_tokens, but 0 records of calls with cached tokens hold them inside input_tokens, 1 beside it',
  });
});

test('a failed task is told by what its records hold', () => {
  const failed = { outcome: 'task_failed', task_status: 'failed' } as const;
  const back = { ...VIDEO_RECORD, billing_status: 'refunded', result: 'failed', refunded_amount: '0.4' };
  const records = [recordOf('a', { ...back, amount: '0' }), recordOf('b', back)];
  const rows = [videoRow('a', failed), videoRow('b', failed), videoRow('c', failed)];
  expect(point({ rows, sweeps: [{ records }] }, 'failed_task')).toMatchObject({
    value: 'amount 0, reserve refunded or amount and refund are the reserve',
    basis: 'calls',
    example: 'call:call-a',
  });
});

test('when records are dated is told by own calls, else by the user, else not at all', () => {
  const names = Array.from({ length: 20 }, (_, n) => `${n}`);
  const rows = names.map((name, n) =>
    textRow(name, { started_at: formatInstant(START_MS + n * 10_000), end_ms: (n % 7) * 1000 }),
  );
  const records = names.map((name, n) => recordOf(name, { created_at: START_S + n * 10 + (n % 7) }));
  const dated = (changes: Partial<typeof NO_TERMS.readings>, count = 20) =>
    point(
      {
        rows: rows.slice(0, count),
        sweeps: [{ records: records.slice(0, count), at_ms: START_MS + 3_600_000 }],
        terms: { readings: { ...NO_TERMS.readings, ...changes } },
      },
      'created_at',
    );
  expect(dated({})).toMatchObject({
    value: 'settlement',
    basis: 'calls',
    also: [],
    evidence: '20 records lie -2 to 2 s from the end of their calls',
  });
  expect(dated({}, 19)).toMatchObject({ basis: 'assumed', also: ['settlement'] });
  expect(dated({ created_at: 'settlement' }, 19)).toMatchObject({
    value: 'settlement',
    basis: 'declared',
    also: [],
  });
});

test('what of cut streams is charged is told, and what it would be worth if it were free', () => {
  const spec: InputSpec = { rows: [cutRow('a'), cutRow('b')], sweeps: [{ records: [recordOf('a')] }] };
  expect(point(spec, 'cut_stream')).toMatchObject({
    value: 'charged',
    also: ['free'],
    changes: '0.0028',
    evidence: '1 of 2 cut calls are charged',
  });
  const terms = {
    policy: { ...NO_TERMS.policy, aborted: 'free' as const },
    assumed: ['aborted'],
  };
  expect(point({ ...spec, terms }, 'cut_stream')).toMatchObject({
    value: 'free',
    basis: 'declared',
    also: [],
    evidence: 'declared in --assume-reading aborted; 1 of 2 cut calls are charged',
  });
});

test('a price list without versions is told as one, factors and reasoning as the book has them', () => {
  const spec = (book: unknown): InputSpec => ({
    rows: [textRow('a')],
    books: [archivedBook(book)],
    sweeps: [{ records: [recordOf('a')] }],
  });
  const list = {
    'text-1': {
      ...{ mode: 'chat', litellm_provider: 'x', input_cost_per_token: 2e-6, output_cost_per_token: 8e-6 },
      ...{ max_input_tokens: 8000, max_output_tokens: 4000 },
    },
  };
  expect(point(spec(list), 'price_edition')).toMatchObject({
    value: 'the list that was served at its moment',
    basis: 'assumed',
    changes: '0',
  });
  const beside = bookDocument({
    usage_semantics: { input_includes_cache: true, output_includes_reasoning: false },
  });
  expect(point(spec(beside), 'output_includes_reasoning')).toMatchObject({
    value: 'no',
    basis: 'book',
    also: [],
  });
  const terms = { agreed: [{ ...AGREED, factor: '0.8' }] };
  expect(point({ ...spec(beside), terms }, 'factor')).toMatchObject({
    value: 'agreed: ours × 0.8',
    basis: 'declared',
  });
});

const AGREED = {
  ...{ name: 'ours', models: ['*'], endpoints: null, from: null, until: null },
  ...{ prices: null, rounding: null, minimum: null },
};

test('a declared reading of totals is shown as one, and readings that fit as well are told', () => {
  const totals = totalsWith({ settled_amount: '0.0028', refunded_amount: '0.0072' });
  const spec: InputSpec = { rows: [textRow('a')], sweeps: [{ records: [recordOf('a')], totals }] };
  expect(point(spec, 'totals_settled')).toMatchObject({ also: ['final_amount'], changes: '0' });
  const terms = { readings: { ...NO_TERMS.readings, totals_settled: 'final_amount' as const } };
  expect(point({ ...spec, terms }, 'totals_settled')).toMatchObject({
    value: 'final_amount',
    basis: 'declared',
    also: [],
    evidence: 'declared in billing.readings.totals_settled',
  });
});

test('without a ledger nothing tells of ids, and words of their own are told by their records', () => {
  const rows = kept({
    basis: 'records',
    key: 'shared',
    sweeps: [{ records: [recordOf('a', { billing_status: 'posted' })], at_ms: START_MS + 172_800_000 }],
  });
  expect(rows.map(({ name }) => name)).not.toContain('request_id');
  expect(rows.at(-1)).toMatchObject({
    name: 'status_posted',
    value: 'settled',
    basis: 'records',
    example: 'record:rec-a',
  });
});

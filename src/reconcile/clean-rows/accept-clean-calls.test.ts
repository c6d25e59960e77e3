import { afterEach, describe, expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { USAGE_RECORD_SCHEMA, type UsageWindow } from '../../contracts/usage-lines.ts';
import { inputOf, recordOf, type SweepSpec } from '../reconcile.test-support.ts';
import { acceptedCalls } from '../records/accepted-sums.ts';
import { cutRow, intentOf, START_S, textRow } from '../rows.test-support.ts';
import {
  type Accepted,
  acceptanceOf,
  accepted,
  HEADER,
  refused,
  TEXT_CELL,
  textOf,
} from './acceptance.test-support.ts';

const open: Accepted[] = [];

async function judged(
  rows: readonly CallRow[],
  records: readonly unknown[],
  changes: Parameters<typeof acceptanceOf>[1] = {},
  sweeps: readonly SweepSpec[] = [{ records }],
): Promise<Accepted> {
  const result = await acceptanceOf(inputOf({ rows, sweeps }), changes);
  open.push(result);
  return result;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ store }) => store.close()));
});

describe('acceptance', () => {
  test('a right call leaves the rest with its intent and its record, and stands in the sums', async () => {
    const rows = [textRow('a'), cutRow('b'), textRow('c')];
    const wrong = recordOf('b', { amount: '0.001', refunded_amount: '0.009' });
    const records = [recordOf('a'), wrong, recordOf('c')];
    const intents = ['a', 'b', 'c'].map((name) => intentOf(name));
    const input = inputOf({ rows, intents, sweeps: [{ records }] });
    const done = await acceptanceOf(input);
    open.push(done);
    const { accepted: sums, ledger, records: rest } = accepted(done);
    expect(done.ids).toEqual(['call-a', 'call-c']);
    expect(sums.witnesses).toEqual(['call-a']);
    expect(ledger.rows.map(({ call_id }) => call_id)).toEqual(['call-a', 'call-b']);
    expect(ledger.intents.map(({ call_id }) => call_id)).toEqual(['call-a', 'call-b']);
    expect(rest.map(({ record }) => record)).toEqual([records[0], wrong]);
    expect(sums.groups).toEqual([
      {
        witness: 'call-a',
        calls: 1,
        charged: 2_800_000_000n,
        refunded: 7_200_000_000n,
      },
    ]);
    expect(sums.records).toMatchObject([{ sweep: 1, pass: null, records: 1, reserved: 10_000_000_000n }]);
    expect(sums.telling).toEqual({ net: 1, gross: 0, inside: 0, beside: 0, returned: 1, released: 0 });
    expect(sums.last_sign_ms).toBe(START_S * 1000 + 1000);
  });

  const usage = { input: 1000, output: 100, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
  test.each<[string, Partial<CallRow>, Readonly<Record<string, unknown>>]>([
    ['one quantum too much', {}, { amount: '0.00280001', refunded_amount: '0.00719999' }],
    ['other tokens', {}, { input_tokens: 1001 }],
    ['another model', {}, { model: 'text-2' }],
    ['a version that was not archived', {}, { pricing_version: 'v2' }],
    ['an amount as a number', {}, { amount: 0.0028 }],
    ['an amount with an exponent', {}, { amount: '28e-4' }],
    ['an amount with a blank', {}, { amount: ' 0.0028' }],
    ['an amount of 13 decimals', {}, { amount: '0.0028000000001' }],
    ['a count as a text', {}, { input_tokens: '1000' }],
    ['a count with a fraction', {}, { output_tokens: 100.4 }],
    ['a charge above the reserve', {}, { reserved_amount: '0.001', refunded_amount: '0' }],
    ['a pending record', {}, { billing_status: 'pending' }],
    ['a failed record', {}, { result: 'failed' }],
    ['an estimate', {}, { usage_estimated: true }],
    ['no record id', {}, { id: undefined }],
    ['an empty answer', { out_chars: 0 }, {}],
    ['tools that it used', { tools: { web_search: 2 } }, {}],
    ['a second attempt', { attempt: 2 }, {}],
    ['usage without output', { usage: { ...usage, output: null } }, {}],
    ['more cached tokens than input', { usage: { ...usage, cache_read: 1001 } }, { cache_read_tokens: 1001 }],
    [
      'cached tokens that only the record knows',
      { usage: { ...usage, cache_read: null } },
      { cache_read_tokens: 5 },
    ],
  ])('leaves a call with %s', async (_, row, record) => {
    const done = await judged(
      [textRow('a', row), textRow('b')],
      [{ ...recordOf('a'), ...record }, recordOf('b')],
    );
    expect(done.ids).toEqual(['call-b']);
    expect(refused(done).rows).toEqual([textRow('a', row)]);
    expect(refused(done).records).toHaveLength(1);
  });

  test('leaves a call without a request id, and those that look like its record', async () => {
    const other = textRow('c', { usage: { ...usage, output: 101 } });
    const charge = { output_tokens: 101, amount: '0.002808', refunded_amount: '0.007192' };
    const done = await judged(
      [textRow('a', { request_id: null }), textRow('b'), other],
      [recordOf('a'), recordOf('b'), recordOf('c', charge)],
    );
    expect(done.ids).toEqual(['call-c']);
  });

  test('leaves calls that an earlier run left open', async () => {
    const rows = ['a', 'b', 'c'].map((name) => textRow(name));
    const records = ['a', 'b', 'c'].map((name) => recordOf(name));
    const done = await judged(rows, records, { apart: { calls: ['call-a'], requests: ['req-b'] } });
    expect(done.ids).toEqual(['call-c']);
  });

  test('leaves some of each price to be judged', async () => {
    const names = Array.from({ length: 60 }, (_, index) => String(index));
    const rows = names.map((name) => textRow(name));
    const records = names.map((name) => recordOf(name));
    const { accepted: sums } = accepted(await judged(rows, records, { witnesses_per_price: 30 }));
    expect(sums.witnesses.length).toBeGreaterThan(15);
    expect(sums.witnesses.length + acceptedCalls(sums)).toBe(60);
    expect(sums.groups).toHaveLength(1);
  });

  test('takes whatever version a record names where the one book has none', async () => {
    const records = [recordOf('a', { pricing_version: 'v7' })];
    expect((await judged([textRow('a')], records, { any_version: true })).ids).toEqual(['call-a']);
    expect((await judged([textRow('a')], records)).ids).toEqual([]);
  });

  test('leaves a call whose record is dated far from it, or outside the windows that were read', async () => {
    const dated = async (created: number, windows: readonly UsageWindow[]): Promise<readonly string[]> =>
      (await judged([textRow('a')], [recordOf('a', { created_at: created })], { windows })).ids;
    expect(await dated(START_S - 120, [])).toEqual(['call-a']);
    expect(await dated(START_S - 121, [])).toEqual([]);
    expect(await dated(START_S + 901, [])).toEqual(['call-a']);
    expect(await dated(START_S + 902, [])).toEqual([]);
    expect(await dated(START_S, [{ start: START_S, end: START_S + 1 }])).toEqual(['call-a']);
    expect(await dated(START_S, [{ start: START_S - 1, end: START_S }])).toEqual([]);
    expect(await dated(START_S, [{ start: START_S + 1, end: START_S + 2 }])).toEqual([]);
  });

  test('takes amounts in every notation that reads the same', async () => {
    const done = await judged(
      [textRow('a'), textRow('b')],
      [
        recordOf('a', { amount: '0.002800000000' }),
        recordOf('b', { amount: '000.0028', refunded_amount: '0.00720' }),
      ],
    );
    expect(done.ids).toEqual(['call-a', 'call-b']);
  });

  test('leaves both calls of one request id, and a call whose id another call was told', async () => {
    const rows = [
      textRow('a'),
      textRow('b', { request_id: 'req-a', request_ids: ['req-a'] }),
      textRow('c'),
      textRow('d', { request_id: null, request_ids: ['req-c'] }),
      textRow('e'),
    ];
    expect(
      (
        await judged(
          rows,
          ['a', 'c', 'e'].map((name) => recordOf(name)),
        )
      ).ids,
    ).toEqual(['call-e']);
  });

  test('leaves a request with two records, and one whose record another read showed otherwise', async () => {
    const rows = ['a', 'b', 'c', 'd', 'e'].map((name) => textRow(name));
    const right = [recordOf('d'), recordOf('e')];
    const now = [recordOf('a'), recordOf('a', { id: 'second' }), recordOf('b'), recordOf('c'), ...right];
    const before = [recordOf('b', { billing_status: 'pending' }), { ...recordOf('c'), extra: 1 }, ...right];
    const done = await judged(rows, [], {}, [{ records: before }, { records: now }]);
    expect(done.ids).toEqual(['call-d', 'call-e']);
    expect(refused(done).records).toHaveLength(6);
    expect(accepted(done).accepted.records.map(({ sweep, records }) => [sweep, records])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  test('leaves a call with two records in one read, also where they are alike', async () => {
    const rows = ['a', 'b', 'c'].map((name) => textRow(name));
    const records = [
      recordOf('a'),
      recordOf('a', { id: 'second' }),
      recordOf('b'),
      recordOf('b'),
      recordOf('c'),
    ];
    const done = await judged(rows, records);
    expect(done.ids).toEqual(['call-c']);
    expect(refused(done).records).toHaveLength(4);
  });

  test('leaves a call whose record a complete sweep past its deadline did not hold yet', async () => {
    const rows = ['a', 'b'].map((name) => textRow(name));
    const now = { records: [recordOf('a'), recordOf('b')], at_ms: START_S * 1000 + 7_200_000 };
    const at = async (ms: number): Promise<readonly string[]> =>
      (await judged(rows, [], {}, [{ records: [recordOf('b')], at_ms: START_S * 1000 + ms }, now])).ids;
    expect(await at(901_000)).toEqual(['call-a', 'call-b']);
    expect(await at(901_001)).toEqual(['call-b']);
  });

  test('leaves the attempts of a call that was sent again', async () => {
    const rows = [textRow('a'), textRow('b', { logical_id: 'call-a', attempt: 2 }), textRow('c')];
    expect(
      (
        await judged(
          rows,
          ['a', 'b', 'c'].map((name) => recordOf(name)),
        )
      ).ids,
    ).toEqual(['call-c']);
  });

  test('reads amounts net or gross and input with or without its cache as the records tell', async () => {
    const cached = { ...usage, cache_read: 400 };
    const rows = ['a', 'b', 'c'].map((name) => textRow(name, { usage: cached }));
    // 600 × $2 + 400 × $0.5 + 100 × $8 a million.
    const record = { amount: '0.01', refunded_amount: '0.0078', input_tokens: 600, cache_read_tokens: 400 };
    const records = ['a', 'b', 'c'].map((name) => recordOf(name, record));
    const done = await judged(rows, records);
    expect(done.ids).toHaveLength(3);
    expect(accepted(done).accepted).toMatchObject({
      assumed: { amount_meaning: 'gross', input_includes_cache: 'no' },
      telling: { net: 0, gross: 2, inside: 0, beside: 2 },
      groups: [{ charged: 4_400_000_000n }],
    });
    const declared = { amount_meaning: 'net', input_includes_cache: 'no' } as const;
    expect((await judged(rows, records, { readings: declared })).ids).toEqual([]);
  });

  test('accepts nothing by prices that fit twice, were inferred, or of versions without a time', async () => {
    const rows = [textRow('a')];
    const records = [recordOf('a')];
    const by = async (...cells: (typeof TEXT_CELL)[]): Promise<readonly string[]> =>
      (await judged(rows, records, { cells: () => cells })).ids;
    expect(await by(TEXT_CELL, { ...TEXT_CELL, cell: 1, len_from: 500n })).toEqual([]);
    expect(await by({ ...TEXT_CELL, len_to: 500n }, { ...TEXT_CELL, cell: 1, len_from: 500n })).toEqual([
      'call-a',
    ]);
    expect(await by({ ...TEXT_CELL, grade: 'inferred' })).toEqual([]);
    const other = { ...TEXT_CELL, cell: 1, pricing_version: 'v2', valid_from_s: START_S + 600 };
    expect(await by(TEXT_CELL, other)).toEqual([]);
    expect(await by({ ...TEXT_CELL, valid_to_s: START_S + 600 }, other)).toEqual(['call-a']);
    expect(await by({ ...TEXT_CELL, valid_to_s: START_S }, other)).toEqual([]);
  });

  test('a torn last line is a problem of the rest, and a damaged one declines', async () => {
    const rows = [textRow('a')];
    const text = textOf([HEADER, ...rows]);
    const torn = await judged(rows, [recordOf('a')], { ledger_text: `${text}{"schema":"weighbridge.ca` });
    expect(torn.ids).toEqual(['call-a']);
    expect(accepted(torn).ledger.problems).toMatchObject([{ line: 3, gap: false }]);
    expect(accepted(torn).ledger.problems[0]?.what).toContain('truncated last line');
    const damaged = await judged(rows, [recordOf('a')], { ledger_text: `${text}{"a":1}TRAILER\n${text}` });
    expect(damaged.result).toHaveProperty('declined');
  });

  test('a line that DuckDB takes and JSON.parse refuses is told with its place', async () => {
    const text = textOf([HEADER, JSON.stringify(textRow('a')).replace(/}$/, ',}'), textRow('b')]);
    const done = judged([], [recordOf('a')], { ledger_text: text });
    await expect(done).rejects.toMatchObject({
      code: 'ledger_corrupt',
      message: expect.stringContaining(':2: '),
    });
  });

  test('lines are told apart by their ids also where they are written with blanks', async () => {
    const rows = [textRow('a'), cutRow('b')];
    const text = textOf([HEADER, ...rows.map((row) => JSON.stringify(row, null, 1).replaceAll('\n', ' '))]);
    const line = (name: string): string =>
      JSON.stringify({
        schema: USAGE_RECORD_SCHEMA,
        read_at: '2026-11-20T12:01:00.000Z',
        sweep: 1,
        by_request_id: false,
        record: recordOf(name),
      }).replaceAll('":', '" : ');
    const done = await judged([], [], { ledger_text: text, records_text: textOf([line('a'), line('b')]) });
    expect(done.ids).toEqual(['call-a']);
    expect(refused(done).rows.map(({ call_id }) => call_id)).toEqual(['call-b']);
    expect(refused(done).records).toHaveLength(1);
  });
});

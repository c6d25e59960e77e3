import { expect, test } from 'vitest';
import { judgedCallOf } from '../../contracts/reconciliation.test-support.ts';
import { formatInstant } from '../../core/time.ts';
import { brokenMoney } from '../money-identity.test-support.ts';
import {
  IMAGE_MODEL,
  IMAGE_RECORD,
  imageRow,
  inputOf,
  judge,
  recordOf,
  START_MS,
  START_S,
  TEXT_MODEL,
  textRow,
} from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';
import { NOTHING_ACCEPTED } from '../records/accepted-sums.ts';
import { moneyByGroup, moneyByKey } from './money-by.ts';

test('the money stands by model and by day of the record, and adds up to the whole', () => {
  // Sent in the last second of a day and recorded in the first of the next.
  const midnight = START_S + 12 * 3600;
  const result = judge({
    rows: [textRow('a'), textRow('b'), imageRow('c', { started_at: formatInstant(midnight * 1000 - 500) })],
    sweeps: [
      {
        records: [
          recordOf('a'),
          recordOf('b', { amount: '0.003', refunded_amount: '0.007' }),
          recordOf('c', { ...IMAGE_RECORD, created_at: midnight }),
        ],
        at_ms: START_MS + 2 * 86_400_000,
      },
    ],
  });
  expect(result.money.by_model).toEqual([
    { model: IMAGE_MODEL, calls: 1, charged: '0.02', expected: '0.02', difference: '0', open: '0' },
    { model: TEXT_MODEL, calls: 2, charged: '0.0058', expected: '0.0056', difference: '0.0002', open: '0' },
  ]);
  expect(result.money.by_day).toEqual([
    { day: '2026-11-20', calls: 2, charged: '0.0058', expected: '0.0056', difference: '0.0002', open: '0' },
    { day: '2026-11-21', calls: 1, charged: '0.02', expected: '0.02', difference: '0', open: '0' },
  ]);
  expect(result.money.difference).toBe('0.0002');
});

test('the money of several keys stands by key and adds up to the whole; that of one key does not stand twice', () => {
  const [one, two] = ['00000000000000a1', '00000000000000b2'];
  const judged = (second: string | null) =>
    judge({
      rows: [
        textRow('a', { key_fp: one }),
        textRow('b', { key_fp: second }),
        textRow('c', { key_fp: second }),
      ],
      sweeps: [
        {
          records: [recordOf('a', { amount: '0.003' }), recordOf('b'), recordOf('c')],
          at_ms: START_MS + 86_400_000,
        },
      ],
    });
  const result = judged(two);
  expect(result.money.by_key).toEqual([
    { key_fp: two, calls: 2, charged: '0.0056', expected: '0.0056', difference: '0', open: '0' },
    { key_fp: one, calls: 1, charged: '0.003', expected: '0.0028', difference: '0.0002', open: '0' },
  ]);
  expect(brokenMoney(result)).toEqual([]);
  expect([judged(one), judged(null)].map(({ money }) => money.by_key)).toEqual([undefined, undefined]);
});

test('what calls of several keys are charged together stands under none of them', () => {
  const [one, two] = ['00000000000000a1', '00000000000000b2'];
  const charged = 28_000_000_000n;
  const money = { charged, weight: charged, checked: 'to_the_digit' as const, due: charged };
  const none = { certain_over: 0n, certain_under: 0n, open: 0n };
  const judged = (...keys: readonly string[]) => ({
    calls: keys.map((key_fp) => judgedCallOf({ row: textRow(key_fp, { key_fp }) })),
    findings: [],
    money: keys.map(() => ({ ...money, ...none })),
  });
  const judgements = [judged(one), judged(two), judged(two, one)];
  expect(moneyByKey(judgements, { groups: [] })).toMatchObject([
    { key_fp: null, calls: 2, charged: '0.056' },
    { key_fp: one, calls: 1, charged: '0.028' },
    { key_fp: two, calls: 1, charged: '0.028' },
  ]);
});

test('the money of each group that the records name adds up to the whole; none is told where nobody asked', () => {
  const of = (name: string | null) => ({ group: { by: 'team', name } });
  const judged = (...groups: readonly object[]) =>
    judge({
      rows: ['a', 'b', 'c'].map((id) => textRow(id)),
      sweeps: [
        {
          records: ['a', 'b', 'c'].map((id, n) =>
            recordOf(id, { ...(id === 'a' ? { amount: '0.003' } : {}), ...groups[n] }),
          ),
          at_ms: START_MS + 86_400_000,
        },
      ],
    });
  const result = judged(of('red'), of('blue'), of('red'));
  expect(result.money.by_group).toEqual([
    {
      by: 'team',
      group: 'red',
      calls: 2,
      charged: '0.0058',
      expected: '0.0056',
      difference: '0.0002',
      open: '0',
    },
    {
      by: 'team',
      group: 'blue',
      calls: 1,
      charged: '0.0028',
      expected: '0.0028',
      difference: '0',
      open: '0',
    },
  ]);
  expect(brokenMoney(result)).toEqual([]);
  const none = judged(of('red'), of(null), of(null));
  expect(none.money.by_group?.map(({ group }) => group)).toEqual([null, 'red']);
  expect(judged().money.by_group).toBeUndefined();
});

test('what records of several groups are charged together stands under none of them', () => {
  const charged = 28_000_000_000n;
  const money = { charged, weight: charged, checked: 'to_the_digit' as const, due: charged };
  const none = { certain_over: 0n, certain_under: 0n, open: 0n };
  const facts =
    judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a')] }] }).calls[0]?.record ?? null;
  const judged = (...names: readonly string[]) => ({
    calls: names.map((name) =>
      judgedCallOf({ record: facts === null ? null : { ...facts, group: { by: 'team', name } } }),
    ),
    findings: [],
    money: names.map(() => ({ ...money, ...none })),
  });
  const judgements = [judged('red'), judged('red', 'blue')];
  expect(moneyByGroup(judgements, { groups: [] })).toMatchObject([
    { by: 'team', group: null, calls: 2, charged: '0.056' },
    { group: 'red', calls: 1, charged: '0.028' },
  ]);
  const group = { witness: 'w', calls: 10, charged, refunded: 0n };
  expect(moneyByGroup(judgements, { groups: [group] })).toBeUndefined();
});

test('where a witness stands for calls of any key, nothing is told by key', () => {
  const input = inputOf({
    rows: ['00000000000000a1', '00000000000000b2'].map((key_fp) => textRow(key_fp, { key_fp })),
    sweeps: [{ records: [recordOf('00000000000000a1'), recordOf('00000000000000b2')] }],
  });
  const witness = 'call-00000000000000a1';
  const group = { witness, calls: 10, charged: 28_000_000_000n, refunded: 0n };
  expect(reconcile(input).money.by_key).toHaveLength(2);
  const accepted = { ...NOTHING_ACCEPTED, witnesses: [witness], groups: [group] };
  expect(reconcile({ ...input, accepted }).money.by_key).toBeUndefined();
});

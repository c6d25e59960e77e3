import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  cutRow,
  judge,
  only,
  recordOf,
  START_MS,
  textRow,
  VIDEO_RECORD,
  videoRow,
} from '../reconcile.test-support.ts';

const DAY_MS = 86_400_000;
const HELD: Partial<UsageRecord> = {
  billing_status: 'pending',
  result: 'unknown',
  amount: '0',
  refunded_amount: '0',
};

describe('a held reserve costs what it holds beyond what is due', () => {
  const late = START_MS + 3 * DAY_MS;
  const leak = (row: ReturnType<typeof textRow>, record: UsageRecord) =>
    only(judge({ rows: [row], sweeps: [{ records: [record], at_ms: late }] }));

  test('of a call that succeeded', () => {
    expect(leak(textRow('a'), recordOf('a', HELD))).toMatchObject({
      class: 'reservation_leak',
      delta_exact: '0.0072',
      direction: 'over',
      confidence: 'proved',
      bridge: 'held',
    });
  });

  test('of a task that never came to its end: all of it', () => {
    const row = videoRow('a', { outcome: 'timeout_task', error_type: 'timeout_task' });
    expect(leak(row, recordOf('a', { ...VIDEO_RECORD, ...HELD }))).toMatchObject({ delta_exact: '0.4' });
  });

  test('of a cut stream: within bounds', () => {
    expect(leak(cutRow('a'), recordOf('a', HELD))).toMatchObject({
      delta_exact: null,
      delta_max: '0.01',
      confidence: 'bounded',
    });
  });

  test('of a cut stream that may be due more than it holds: neither over nor under', () => {
    expect(leak(cutRow('a'), recordOf('a', HELD))).toMatchObject({ direction: 'none' });
  });

  test('of just what is due: over by nothing, since it is not charged', () => {
    const held = { ...HELD, reserved_amount: '0.0028' };
    expect(leak(textRow('a'), recordOf('a', held))).toMatchObject({ direction: 'over', delta_exact: '0' });
  });

  test('of a task whose record alone is known: between nothing and all of it', () => {
    const record = recordOf('a', { ...VIDEO_RECORD, ...HELD, result: 'unknown' });
    const result = judge({ rows: [], sweeps: [{ records: [record], at_ms: late }], basis: 'records' });
    expect(only(result)).toMatchObject({
      delta_exact: null,
      delta_min: '0',
      delta_max: '0.4',
      direction: 'over',
      confidence: 'bounded',
    });
  });

  test('and its wait has an end that is told', () => {
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a', HELD)] }] });
    expect(only(result)).toMatchObject({ provisional: true, deadline_at: '2026-11-20T12:15:01.000Z' });
    expect(result.money).toMatchObject({ expected: null, charged: '0', difference: '0', pending: '0.01' });
  });
});

describe('an amount with a refund, where too few records tell what it means', () => {
  const inside = { amount: '0.01', reserved_amount: '0.01', refunded_amount: '0.0072' };

  test('may hold it either way', () => {
    const result = judge({
      rows: ['a', 'b', 'c'].map((name) => textRow(name)),
      sweeps: [{ records: [recordOf('a', inside), recordOf('b'), recordOf('c')] }],
    });
    expect(brief(result)).toEqual([]);
    expect(result.money).toMatchObject({ charged: '0.0084', difference: '0', open: '0' });
  });

  test('holds it as a hundred others do', () => {
    const names = Array.from({ length: 100 }, (_, index) => `other-${index}`);
    const result = judge({
      rows: ['a', ...names].map((name) => textRow(name)),
      sweeps: [{ records: [recordOf('a', inside), ...names.map((name) => recordOf(name))] }],
    });
    expect(brief(result)).toEqual(['amount_mismatch amount 0.0072']);
  });
});

describe('a charge above its own reserve', () => {
  const above = (reserved_amount: string, amount = '0.0125'): UsageRecord =>
    recordOf('a', { amount, reserved_amount, refunded_amount: '0' });

  test('is told as one where it is not what is due', () => {
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [above('0.01')] }] });
    expect(only(result)).toMatchObject({
      class: 'settle_above_reserve',
      delta_exact: '0.0097',
      direction: 'over',
    });
    expect(result.money.difference).toBe('0.0097');
  });

  test('a trusted account reserves nothing and is never above it', () => {
    expect(only(judge({ rows: [textRow('a')], sweeps: [{ records: [above('0')] }] })).class).not.toBe(
      'settle_above_reserve',
    );
    expect(brief(judge({ rows: [textRow('a')], sweeps: [{ records: [above('0', '0.0028')] }] }))).toEqual([]);
  });
});

describe('entries of one call', () => {
  test.each([
    ['0.5', '-0.1'],
    ['0.3', '0.1'],
  ])('that come to what is due together are one charge: %s and %s', (amount, difference) => {
    const first = recordOf('a', { ...VIDEO_RECORD, amount, reserved_amount: amount });
    const delta = recordOf('a', {
      ...VIDEO_RECORD,
      ...{ id: 'rec-2', amount: difference, reserved_amount: '0' },
    });
    const result = judge({ rows: [videoRow('a')], sweeps: [{ records: [first, delta] }] });
    expect(brief(result)).toEqual([]);
    expect(result.money).toMatchObject({ expected: '0.4', charged: '0.4', difference: '0' });
    expect(result.calls[0]).toMatchObject({ verdict: 'to_the_digit', charged: '0.4' });
    const parts = ['0.3', '0.1'].map((amount) =>
      recordOf('a', { ...VIDEO_RECORD, id: `rec-${amount}`, amount, reserved_amount: '0' }),
    );
    expect(brief(judge({ rows: [videoRow('a')], sweeps: [{ records: parts }] }))).toEqual([]);
  });

  test('of which the first is right are a charge and a surplus', () => {
    const extra = recordOf('a', {
      id: 'rec-2',
      amount: '0.001',
      reserved_amount: '0.001',
      refunded_amount: '0',
      // What it counts is no count of the first.
      input_tokens: 500,
    });
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), extra] }] });
    expect(brief(result)).toEqual(['duplicate_charge second_settled_record 0.001']);
    expect(result.calls[0]?.why).toBe('record rec-a: charged $0.0028, as due; duplicate_charge');
  });

  const credit = (amount: string): UsageRecord =>
    recordOf('a', { ...VIDEO_RECORD, id: 'rec-2', amount, reserved_amount: '0' });

  test('may take off a part beside a charge that is wrong, and none may be less than nothing', () => {
    const first = recordOf('a', { ...VIDEO_RECORD, amount: '0.6', reserved_amount: '0.6' });
    const wrong = judge({ rows: [videoRow('a')], sweeps: [{ records: [first, credit('-0.1')] }] });
    expect(brief(wrong)).toEqual(['amount_mismatch amount 0.1']);
    const below = judge({ rows: [videoRow('a')], sweeps: [{ records: [first, credit('-0.7')] }] });
    expect(below.findings.map((finding) => finding.class)).toContain('negative_component');
  });

  test('are a wrong charge where one takes off from what alone would be right', () => {
    const first = recordOf('a', { ...VIDEO_RECORD, amount: '0.4', reserved_amount: '0.4' });
    const result = judge({ rows: [videoRow('a')], sweeps: [{ records: [first, credit('-0.25')] }] });
    expect(brief(result)).toEqual(['amount_mismatch amount -0.25']);
    expect(result.money).toMatchObject({ expected: '0.4', charged: '0.15', certain_under: '0.25' });
  });

  test('of which another counts the tokens are judged by its count', () => {
    const charge = recordOf('a', { input_tokens: 0, output_tokens: 0 });
    const counts = recordOf('a', { id: 'rec-2', amount: '0', reserved_amount: '0', refunded_amount: '0' });
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [charge, counts] }] });
    expect(brief(result)).toEqual([]);
    expect(result.calls[0]).toMatchObject({ verdict: 'to_the_digit', charged: '0.0028' });
  });
});

describe('entries of one charge', () => {
  const reserve = recordOf('a', { input_tokens: 0, output_tokens: 0, amount: '0.001', refunded_amount: '0' });
  const rest = (changes: Partial<UsageRecord>): UsageRecord =>
    recordOf('a', { id: 'rec-2', reserved_amount: '0', refunded_amount: '0', ...changes });
  const judged = (second: UsageRecord): readonly string[] =>
    brief(judge({ rows: [textRow('a')], sweeps: [{ records: [reserve, second] }] }));

  test('of which one has the tokens are judged by their sum', () => {
    expect(judged(rest({ amount: '0.0018' }))).toEqual([]);
    expect(judged(rest({ amount: '0.002' }))).toEqual(['amount_mismatch amount 0.0002']);
  });

  const twice = (amount: string): readonly UsageRecord[] =>
    [1, 2].flatMap((copy) => [
      { ...reserve, id: `reserve-${copy}` },
      { ...rest({ amount }), id: `rest-${copy}` },
    ]);

  test.each(['0.0018', '-0.0008'])('that stand twice are a second charge: %s', (amount) => {
    const reserved = amount.startsWith('-') ? '0.0036' : '0.001';
    const records = twice(amount).map((record) =>
      record.id.startsWith('reserve') ? { ...record, amount: reserved } : record,
    );
    const result = judge({ rows: [textRow('a')], sweeps: [{ records }] });
    expect(brief(result)).toEqual(['duplicate_charge second_settled_record 0.0028']);
    expect(only(result).explanation).toContain('reserve-1 takes $0.0028, record rest-2 another $0.0028');
    expect(result.money).toMatchObject({ expected: '0.0028', charged: '0.0056', certain_over: '0.0028' });
  });

  test('that stand twice and come to what is due are one charge', () => {
    expect(brief(judge({ rows: [textRow('a')], sweeps: [{ records: twice('0.0004') }] }))).toEqual([]);
  });

  test('of which none has tokens are a charge and a surplus', () => {
    const second = rest({ amount: '0.0028', input_tokens: 0, output_tokens: 0 });
    expect(judged(second)).toContain('duplicate_charge second_settled_record 0.001');
  });
});

describe('a status that says unknown', () => {
  const unknown = recordOf('a', { ...HELD, billing_status: 'unknown' });

  test('may still settle, and is told below the gate past its deadline', () => {
    const early = judge({ rows: [textRow('a')], sweeps: [{ records: [unknown] }] });
    expect(only(early)).toMatchObject({
      class: 'unknown_records',
      rule: 'status_unknown',
      provisional: true,
    });
    const late = judge({ rows: [textRow('a')], sweeps: [{ records: [unknown], at_ms: START_MS + DAY_MS }] });
    expect(only(late)).toMatchObject({
      severity: 'S4',
      direction: 'none',
      provisional: false,
      request_id: 'req-a',
    });
  });
});

describe('a record that changed after it was final', () => {
  const first = { records: [recordOf('a')] };

  test('is told as that alone where it was right before', () => {
    const more = recordOf('a', { amount: '0.00308', refunded_amount: '0.00692' });
    const result = judge({ rows: [textRow('a')], sweeps: [first, { records: [more] }] });
    expect(only(result)).toMatchObject({
      class: 'state_regression',
      delta_exact: '0.00028',
      bridge: 'settled',
    });
    expect(result.money.difference).toBe('0.00028');
  });

  test('and held back again is over by its reserve', () => {
    const sweeps = [first, { records: [recordOf('a', HELD)], at_ms: START_MS + DAY_MS }];
    expect(only(judge({ rows: [textRow('a')], sweeps }))).toMatchObject({
      class: 'state_regression',
      delta_exact: '0.0072',
      direction: 'over',
      bridge: 'held',
    });
  });

  test('and is gone is under by its charge, and not missed a second time', () => {
    const result = judge({
      rows: [textRow('a')],
      sweeps: [first, { records: [], at_ms: START_MS + DAY_MS }],
    });
    expect(only(result)).toMatchObject({
      class: 'state_regression',
      delta_exact: '-0.0028',
      direction: 'under',
      bridge: 'absent',
    });
    expect(result.money.difference).toBe('-0.0028');
    expect(result.calls[0]).toMatchObject({ verdict: 'finding', match: 'none' });
  });
});

describe('reasoning tokens', () => {
  /** Told 100 tokens of output and 30 of reasoning. */
  const thoughtful = (raw: object) =>
    textRow('a', { usage: { input: 1000, output: 100, cache_read: 0, cache_write: 0, reasoning: 30, raw } });
  const charged = (output_tokens: number, amount: string): UsageRecord =>
    recordOf('a', { output_tokens, amount, reserved_amount: amount, refunded_amount: '0' });

  test.each([
    [130, '0.00304', 'reasoning_double_count added 0.00024'],
    [70, '0.00256', 'reasoning_double_count omitted -0.00024'],
    [110, '0.00288', 'token_mismatch output 0.00008'],
  ])('%i recorded of 100 with 30 of reasoning', (output, amount, expected) => {
    const rows = [thoughtful({ total_tokens: 1100 })];
    expect(brief(judge({ rows, sweeps: [{ records: [charged(output, amount)] }] }))).toEqual([expected]);
  });

  const APART = archivedBook(
    bookDocument({ usage_semantics: { input_includes_cache: true, output_includes_reasoning: false } }),
  );

  test.each([
    ['beside, as its total says', { total_tokens: 1130 }, 130, '0.00304', undefined, []],
    ['beside, as nothing denies', {}, 130, '0.00304', undefined, []],
    ['inside, as nothing denies', {}, 100, '0.0028', undefined, []],
    [
      'inside what the record counts, charged once more',
      {},
      100,
      '0.00304',
      undefined,
      ['reasoning_double_count reasoning_added 0.00024'],
    ],
    ['beside what the record counts, too', {}, 100, '0.00304', APART, []],
    ['neither inside nor beside', {}, 110, '0.00288', undefined, ['token_mismatch output open']],
    [
      'left out of a count that leaves out no more',
      {},
      70,
      '0.00256',
      undefined,
      ['reasoning_double_count omitted open'],
    ],
    [
      'inside, and charged beside a count that leaves it out',
      { total_tokens: 1100 },
      100,
      '0.00304',
      APART,
      ['reasoning_double_count reasoning_added 0.00024'],
    ],
  ] as const)('an answer may tell its reasoning %s', (_, raw, output, amount, book, expected) => {
    const books = book === undefined ? undefined : [book];
    const sweeps = [{ records: [charged(output, amount)] }];
    expect(brief(judge({ rows: [thoughtful(raw)], sweeps, ...(books && { books }) }))).toEqual(expected);
  });

  test('stands in the bounds of a charge where neither answer nor book tells', () => {
    const silent = archivedBook(bookDocument({ usage_semantics: { input_includes_cache: true } }));
    const of = (amount: string) =>
      judge({ rows: [thoughtful({})], books: [silent], sweeps: [{ records: [charged(100, amount)] }] });
    for (const amount of ['0.0028', '0.00304']) expect(brief(of(amount))).toEqual([]);
    expect(of('0.0028').calls[0]).toMatchObject({ expected_lo: '0.0028', expected_hi: '0.00304' });
    expect(brief(of('0.0032'))).toHaveLength(1);
  });
});

describe('usage that nobody can have told', () => {
  const cut = (name: string, usage_estimated: boolean): UsageRecord =>
    recordOf(name, {
      result: 'incomplete',
      usage_estimated,
      output_tokens: 40,
      amount: '0.00232',
      refunded_amount: '0.00768',
    });
  const names = ['a', 'b', 'c', 'd'];

  test('stands out unflagged where the gateway flags the others, below the gate', () => {
    const records = names.map((name) => cut(name, name !== 'd'));
    const result = judge({ rows: names.map((name) => cutRow(name)), sweeps: [{ records }] });
    expect(only(result)).toMatchObject({
      class: 'estimated_usage_not_flagged',
      request_id: 'req-d',
      confidence: 'bounded',
      severity: 'S4',
    });
    expect(result.gated).toBe(false);
  });

  test('has no final usage where messages told only their first count', () => {
    const usage = { input: 1000, output: 1, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
    const started = { kind: 'messages', usage } as const;
    const records = names.map((name) => cut(name, name !== 'd'));
    const result = judge({ rows: names.map((name) => cutRow(name, started)), sweeps: [{ records }] });
    expect(result.findings.map((finding) => finding.class)).toContain('estimated_usage_not_flagged');
  });

  test('proves nothing on a gateway that never flags', () => {
    const records = names.map((name) => cut(name, false));
    expect(brief(judge({ rows: names.map((name) => cutRow(name)), sweeps: [{ records }] }))).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  cutRow,
  errorRow,
  IMAGE_RECORD,
  imageRow,
  judge,
  only,
  recordOf,
  textRow,
} from '../reconcile.test-support.ts';

describe('charges', () => {
  test('a second settled record of one request is a duplicate over its amount', () => {
    const result = judge({
      rows: [textRow('a')],
      sweeps: [{ records: [recordOf('a'), recordOf('a', { id: 'rec-2' })] }],
    });
    expect(brief(result)).toEqual(['duplicate_charge second_settled_record 0.0028']);
    expect(only(result)).toMatchObject({
      direction: 'over',
      confidence: 'proved',
      severity: 'S1',
      request_id: 'req-a',
    });
    expect(result.gated).toBe(true);
    expect(result.money).toMatchObject({
      expected: '0.0028',
      charged: '0.0056',
      difference: '0.0028',
      certain_over: '0.0028',
    });
  });

  test('one id is one record: equal rows count once, of two that differ the later, which is told', () => {
    const twice = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), recordOf('a')] }] });
    expect(brief(twice)).toEqual([]);
    expect(twice.money).toMatchObject({ charged: '0.0028', records: 1 });
    const other = recordOf('a', { amount: '0.0030' });
    const differ = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), other] }] });
    expect(brief(differ)).toEqual(['state_regression changed_after_settlement 0.0002']);
    expect(differ.findings[0]?.severity).toBe('S3');
    expect(differ.money).toMatchObject({ charged: '0.003', records: 1 });
  });

  test('a third one is a finding of its own', () => {
    const records = [recordOf('a'), recordOf('a', { id: 'rec-a2' }), recordOf('a', { id: 'rec-a3' })];
    const result = judge({ rows: [textRow('a')], sweeps: [{ records }] });
    expect(brief(result)).toEqual(
      Array.from({ length: 2 }, () => 'duplicate_charge second_settled_record 0.0028'),
    );
  });

  test('of two records the one that fits the call stands, whatever came first', () => {
    const records = [
      recordOf('a', { id: 'rec-0', amount: '0.5', reserved_amount: '0.5', refunded_amount: '0' }),
      recordOf('a'),
    ];
    const result = judge({ rows: [textRow('a')], sweeps: [{ records }] });
    expect(brief(result)).toEqual(['duplicate_charge second_settled_record 0.5']);
  });

  test('a cut stream charged twice is a duplicate, and the first charge stays within bounds', () => {
    const cut = { result: 'incomplete', output_tokens: 40, amount: '0.00232', refunded_amount: '0.00768' };
    const result = judge({
      rows: [cutRow('a')],
      sweeps: [{ records: [recordOf('a', cut), recordOf('a', { ...cut, id: 'rec-2' })] }],
    });
    expect(brief(result)).toEqual(['duplicate_charge second_settled_record 0.00232']);
    expect(result.calls[0]).toMatchObject({ verdict: 'finding', expected: null, expected_lo: '0' });
  });

  test.each([
    [
      'rounding:ceil',
      { usage: { input: 1, output: 0, cache_read: 0, cache_write: 0, reasoning: null, raw: null } },
      '0.0000021',
      'amount',
    ],
    ['twice', {}, '0.0056', 'charged_twice'],
    ['anything', {}, '0.0029', 'amount'],
  ])('a wrong amount is named where a simple fault explains it: %s', (_, row, amount, rule) => {
    const tokens = !('usage' in row) ? {} : { input_tokens: 1, output_tokens: 0 };
    const record = recordOf('a', { ...tokens, amount, reserved_amount: amount, refunded_amount: '0' });
    const result = judge({ rows: [textRow('a', row)], sweeps: [{ records: [record] }] });
    expect(only(result)).toMatchObject({ class: 'amount_mismatch', rule, direction: 'over' });
  });

  test('a rounding mode other than the published one is named', () => {
    const document = bookDocument({ rounding: { scope: 'record', quantum: '0.001', mode: 'half_up' } });
    const record = recordOf('a', { amount: '0.002', reserved_amount: '0.002', refunded_amount: '0' });
    const result = judge({
      rows: [textRow('a')],
      sweeps: [{ records: [record] }],
      books: [archivedBook(document)],
    });
    expect(only(result)).toMatchObject({
      class: 'rounding_bias',
      delta_exact: '-0.001',
      direction: 'under',
    });
  });

  test('cached tokens charged at both prices are named', () => {
    const usage = { input: 1000, output: 0, cache_read: 400, cache_write: 0, reasoning: null, raw: null };
    const tokens = {
      input_tokens: 1000,
      output_tokens: 0,
      cache_read_tokens: 400,
      reserved_amount: '0',
      refunded_amount: '0',
    };
    const of = (amount: string): Reconciliation =>
      judge({
        rows: [textRow('a', { usage })],
        sweeps: [{ records: [recordOf('a', { ...tokens, amount })] }],
      });
    expect(brief(of('0.0014'))).toEqual([]);
    expect(brief(of('0.0022'))).toEqual(['cache_double_charge cache_both 0.0008']);
    expect(brief(of('0.002'))).toEqual(['cache_read_at_full_price read_as_input 0.0006']);
  });

  test.each([
    ['input', { input_tokens: 1001 }],
    ['output', { output_tokens: 99 }],
    ['input+output', { input_tokens: 900, output_tokens: 101 }],
    ['cache_read', { cache_read_tokens: 10 }],
    ['cache_write', { cache_write_tokens: 7 }],
  ])('other tokens than the answer told: %s', (rule, tokens) => {
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a', tokens)] }] });
    expect(only(result)).toMatchObject({ class: 'token_mismatch', rule, delta_exact: '0' });
  });

  test('tokens explain their own part of a wrong amount, the rest is in the amount', () => {
    const record = recordOf('a', {
      output_tokens: 200,
      amount: '0.0046',
      reserved_amount: '0.0046',
      refunded_amount: '0',
    });
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [record] }] });
    expect(brief(result)).toEqual(['amount_mismatch amount 0.001', 'token_mismatch output 0.0008']);
    expect(result.money.difference).toBe('0.0018');
  });

  test('a refused call must not be charged', () => {
    const charged = judge({ rows: [errorRow('a', 400)], sweeps: [{ records: [recordOf('a')] }] });
    expect(brief(charged)).toEqual(['charged_on_rejected status_400 0.0028']);
    const free = recordOf('a', { amount: '0', billing_status: 'refunded', refunded_amount: '0.01' });
    expect(brief(judge({ rows: [errorRow('a', 400)], sweeps: [{ records: [free] }] }))).toEqual([]);
  });

  test('a server error may be charged up to its bound', () => {
    const inside = judge({ rows: [errorRow('a', 500)], sweeps: [{ records: [recordOf('a')] }] });
    expect(brief(inside)).toEqual([]);
    const record = recordOf('a', { amount: '1', reserved_amount: '1', refunded_amount: '0' });
    const above = judge({ rows: [errorRow('a', 500)], sweeps: [{ records: [record] }] });
    expect(only(above)).toMatchObject({
      class: 'charged_on_server_error',
      confidence: 'bounded',
      delta_exact: null,
      delta_max: '1',
    });
  });

  test('a cut stream may be charged anything up to its bound', () => {
    const of = (amount: string): Reconciliation =>
      judge({
        rows: [
          cutRow('a', {
            usage: { input: 1000, output: null, cache_read: 0, cache_write: 0, reasoning: null, raw: null },
          }),
        ],
        sweeps: [{ records: [recordOf('a', { amount, reserved_amount: amount, refunded_amount: '0' })] }],
      });
    expect(only(of('0.0341'))).toMatchObject({
      class: 'disconnect_overcharge',
      delta_min: '0.0001',
      delta_max: '0.0341',
    });
    // The prompt alone, a part of it by an estimate, nothing: all are lawful.
    for (const amount of ['0.002', '0.0005', '0']) expect(brief(of(amount))).toEqual([]);
    expect(of('0.002').money).toMatchObject({ certain_under: '0', open: '0.002' });
  });

  test('inside the bounds the amount must still be the price of the tokens recorded', () => {
    const result = judge({
      rows: [cutRow('a')],
      sweeps: [
        { records: [recordOf('a', { output_tokens: 40, amount: '0.00241', refunded_amount: '0.00759' })] },
      ],
    });
    expect(brief(result)).toEqual(['amount_mismatch own_tokens 0.00009']);
  });

  test('which an estimate does not tell, nor what a cut stream was charged in part', () => {
    const of = (changes: Partial<UsageRecord>) =>
      brief(
        judge({
          rows: [cutRow('a')],
          sweeps: [
            {
              records: [
                recordOf('a', { output_tokens: 40, reserved_amount: '0', refunded_amount: '0', ...changes }),
              ],
            },
          ],
        }),
      );
    expect(of({ amount: '0.00241', usage_estimated: true })).toEqual([]);
    expect(of({ amount: '0.0021' })).toEqual([]);
  });

  test('cached tokens price no record where no book tells whether the input holds them', () => {
    const cached = {
      cache_read_tokens: 200,
      output_tokens: 40,
      amount: '0.00241',
      refunded_amount: '0.00759',
    };
    const told = (usage_semantics: object, others: readonly string[] = []) => {
      const books = [archivedBook(bookDocument({ usage_semantics }))];
      const usage = {
        input: 1000,
        output: 100,
        cache_read: 100,
        cache_write: null,
        reasoning: null,
        raw: {},
      };
      const rows = [cutRow('a'), ...others.map((name) => textRow(name, { usage }))];
      const shown = others.map((name) =>
        recordOf(name, {
          cache_read_tokens: 100,
          amount: '0.00265',
          reserved_amount: '0',
          refunded_amount: '0',
        }),
      );
      return brief(judge({ rows, books, sweeps: [{ records: [recordOf('a', cached), ...shown] }] }));
    };
    expect(told({ input_includes_cache: true, output_includes_reasoning: true })).toEqual([
      expect.stringMatching(/^amount_mismatch own_tokens /),
    ]);
    expect(told({ output_includes_reasoning: true }, ['b', 'c', 'd'])).toEqual([]);
  });

  test.each([
    ['0', 'uncharged_success settled -0.0028'],
    ['5', 'amount_mismatch own_tokens 4.9972'],
  ])('where no usage was told, the tokens recorded tell what a finished call is due: %s', (amount, told) => {
    const rows = [textRow('a', { usage: null })];
    const record = recordOf('a', { amount, reserved_amount: '0', refunded_amount: '0' });
    expect(brief(judge({ rows, sweeps: [{ records: [record] }] }))).toEqual([told]);
    // More tokens than the answer can have had tell nothing.
    const beyond = { ...record, amount: '0', output_tokens: 1_000_000 };
    const [finding] = judge({ rows, sweeps: [{ records: [beyond] }] }).findings;
    expect(finding).toMatchObject({ class: 'uncharged_success', delta_exact: null });
  });

  test('other tokens than the answer told are named where no rounding is told, too', () => {
    const silent = [archivedBook(bookDocument({ rounding: undefined }))];
    const of = (counts: Partial<UsageRecord>) => {
      const record = recordOf('a', {
        ...counts,
        amount: '0.0082',
        reserved_amount: '0',
        refunded_amount: '0',
      });
      return only(judge({ rows: [textRow('a')], books: silent, sweeps: [{ records: [record] }] }));
    };
    const swapped = of({ input_tokens: 100, output_tokens: 1000 });
    expect(swapped).toMatchObject({ class: 'token_mismatch', rule: 'input+output', delta_max: '0.0055' });
    expect(of({})).toMatchObject({ class: 'amount_mismatch', rule: 'above_bound' });
  });

  test('a timed-out image costs no more than its price', () => {
    const of = (amount: string): Reconciliation =>
      judge({
        rows: [imageRow('a', { outcome: 'timeout_total', error_type: 'timeout_total' })],
        sweeps: [{ records: [recordOf('a', { ...IMAGE_RECORD, amount, reserved_amount: amount })] }],
      });
    expect(brief(of('0.02'))).toEqual([]);
    expect(brief(of('0'))).toEqual([]);
    expect(brief(of('0.01'))).toEqual([]);
    expect(only(of('0.08')).class).toBe('disconnect_overcharge');
  });

  test('an image that could not be downloaded is due whole, or not at all', () => {
    const row = imageRow('a', { outcome: 'bad_response', error_type: 'download_failed' });
    const of = (...records: UsageRecord[]): Reconciliation => judge({ rows: [row], sweeps: [{ records }] });
    const charged = (amount: string) => recordOf('a', { ...IMAGE_RECORD, amount, reserved_amount: amount });
    const back = { ...IMAGE_RECORD, amount: '0', refunded_amount: '0.02' };
    const whole = of(charged('0.02'));
    expect(brief(whole)).toEqual([]);
    expect(whole.calls[0]).toMatchObject({
      verdict: 'to_the_digit',
      expected: '0.02',
      outcome: 'bad_response',
    });
    expect(whole.money).toMatchObject({ expected: '0.02', charged: '0.02', difference: '0', open: '0' });
    for (const free of [of(charged('0')), of(recordOf('a', { ...back, billing_status: 'refunded' })), of()]) {
      expect(brief(free)).toEqual([]);
      expect(free.money).toMatchObject({ certain_under: '0' });
    }
    expect(brief(of(charged('0.04')))).toEqual(['amount_mismatch charged_twice 0.02']);
    expect(brief(of(charged('0.01')))).toEqual(['amount_mismatch amount -0.01']);
  });

  test('a finished call charged 0 is an undercharge', () => {
    const record = recordOf('a', { amount: '0', refunded_amount: '0.01' });
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [record] }] });
    expect(brief(result)).toEqual(['uncharged_success settled -0.0028']);
  });
});

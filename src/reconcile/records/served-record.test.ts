import { describe, expect, test } from 'vitest';
import { brief, errorRow, judge, only, recordOf, textRow } from '../reconcile.test-support.ts';

describe('records by themselves', () => {
  test.each([
    ['result', { result: 'done' }],
    ['billing_status', { billing_status: 'charged', refunded_amount: '0.001' }],
  ])('an unnamed %s is a finding below the gate', (rule, changes) => {
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a', changes)] }] });
    expect(only(result)).toMatchObject({ class: 'unknown_status', rule, severity: 'S4' });
    expect(result.gated).toBe(false);
  });

  test.each([
    ['amount:too_many_decimals', { amount: '0.0028000000000000004' }],
    ['amount:malformed', { amount: '0,0028' }],
    ['amount:exponent', { amount: '2.8e-3' }],
    ['refunded_amount:exponent', { refunded_amount: '72e-4' }],
    ['reserved_amount:malformed', { reserved_amount: '' }],
  ])('an amount that is no exact decimal: %s', (rule, changes) => {
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a', changes)] }] });
    expect(only(result)).toMatchObject({ class: 'precision_loss', rule, severity: 'S4' });
  });

  test.each([
    ['amount', { amount: '-0.0028', reserved_amount: '0', refunded_amount: '0.0028' }],
    ['input_tokens', { input_tokens: -5 }],
  ])('a negative %s is a finding', (rule, changes) => {
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a', changes)] }] });
    expect(result.findings).toContainEqual(expect.objectContaining({ class: 'negative_component', rule }));
  });

  test.each([[null], [42], [{ ...recordOf('a'), input_tokens: '1000' }]])(
    'a malformed record is told, never thrown: %j',
    (record) => {
      const result = judge({ rows: [errorRow('b', 404)], sweeps: [{ records: [record] }] });
      expect(result.gated).toBe(true);
    },
  );

  test('a record that changed or vanished after it was settled is a regression', () => {
    const rows = [textRow('a'), textRow('b')];
    const first = { records: [recordOf('a'), recordOf('b')] };
    const changed = judge({
      rows,
      sweeps: [
        first,
        { records: [recordOf('a', { amount: '0.0029', refunded_amount: '0.0071' }), recordOf('b')] },
      ],
    });
    expect(brief(changed)).toEqual(['state_regression changed_after_settlement 0.0001']);
    expect(changed.money.difference).toBe('0.0001');
    const gone = judge({ rows, sweeps: [first, { records: [recordOf('b')] }] });
    expect(brief(gone)).toEqual(['state_regression vanished -0.0028']);
    const free = recordOf('b', { amount: '0', refunded_amount: '0.01', billing_status: 'refunded' });
    const freeGone = judge({
      rows: [rows[0] ?? textRow('a'), errorRow('b', 404)],
      sweeps: [{ records: [recordOf('a'), free] }, { records: [recordOf('a')] }],
    });
    expect(freeGone.findings).toMatchObject([{ rule: 'vanished', severity: 'S4' }]);
    const back = judge({
      rows,
      sweeps: [
        first,
        {
          records: [
            recordOf('a', { billing_status: 'pending', amount: '0', refunded_amount: '0' }),
            recordOf('b'),
          ],
        },
      ],
    });
    expect(brief(back)).toEqual(['state_regression changed_after_settlement 0.0072']);
    expect(brief(judge({ rows, sweeps: [first, first] }))).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { brief, errorRow, intentOf, judge, only, recordOf, textRow } from '../reconcile.test-support.ts';

/** Without the reserve's arithmetic, so that the amount alone is judged. */
const ALONE = { reserved_amount: '0', refunded_amount: '0' };

function withAmount(amount: unknown): Reconciliation {
  const record = { ...recordOf('a', ALONE), amount };
  return judge({ rows: [textRow('a')], sweeps: [{ records: [record] }] });
}

function codes(result: Reconciliation): readonly string[] {
  return result.findings.map(({ class: name, severity }) => `${name} ${severity}`);
}

describe('an amount of more than 12 decimals', () => {
  test('is judged as an interval: outside what is due it gates, with bounds', () => {
    const result = withAmount('1.0000000000005');
    expect(codes(result)).toEqual(['amount_mismatch S1', 'precision_loss S4']);
    expect(result.findings[0]).toMatchObject({
      delta_exact: null,
      delta_min: '0.9972',
      delta_max: '0.997200000001',
      direction: 'over',
    });
    expect(result.gated).toBe(true);
    expect(result.money).toMatchObject({
      charged: '1',
      certain_over: '0.9972',
      difference: '0.9972',
      open: '0.0028',
    });
    expect(result.coverage).toMatchObject({ to_the_digit: 0, within_bounds: 1 });
  });

  test('counts as the amount behind it where a double prints it so', () => {
    const result = withAmount('0.0028000000000000004');
    expect(codes(result)).toEqual(['precision_loss S4']);
    expect(result.money).toMatchObject({ charged: '0.0028', difference: '0', open: '0' });
  });

  test('inside what is due it is within bounds, and told below the gate', () => {
    const result = withAmount('0.0028000000000004');
    expect(codes(result)).toEqual(['precision_loss S4']);
    expect(result.calls[0]).toMatchObject({ verdict: 'within_bounds', charged: null });
    expect(result.gated).toBe(false);
    expect(result.inconclusive).toEqual([]);
    expect(result.money).toMatchObject({ charged: '0.0028', difference: '0', open: '0.0028' });
  });

  test('on a second record it is a duplicate', () => {
    const second = recordOf('a', { ...ALONE, id: 'rec-2', amount: '5.0000000000001' });
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), second] }] });
    expect(result.findings).toContainEqual(
      expect.objectContaining({ class: 'duplicate_charge', delta_min: '5', delta_max: '5.000000000001' }),
    );
    expect(result.money.certain_over).toBe('5');
  });

  test('on a refused call it is charged', () => {
    const record = recordOf('a', { ...ALONE, amount: '5.0000000000001' });
    const result = judge({ rows: [errorRow('a', 400)], sweeps: [{ records: [record] }] });
    expect(codes(result)).toEqual(['charged_on_rejected S1', 'precision_loss S4']);
    expect(result.gated).toBe(true);
  });

  test('does not switch off the comparison with the totals', () => {
    const sums = { pending_amount: '0', refunded_amount: '0', records: 1, unknown_records: 0 };
    const of = (settled_amount: string): readonly string[] => {
      const own = { ...sums, settled_amount };
      const totals = {
        ...own,
        currency: 'USD',
        by_model: [{ ...own, model: 'text-1' }],
        daily: [{ ...own, date: '2026-11-20' }],
      };
      const records = [recordOf('a', { ...ALONE, amount: '0.0028000000000004' })];
      return codes(judge({ rows: [textRow('a')], sweeps: Array(2).fill({ records, totals }) }));
    };
    expect(of('0.0028')).toEqual(['precision_loss S4']);
    expect(of('0.0029')).toEqual(['precision_loss S4', 'totals_disagree_records S3']);
  });
});

describe.each([
  ['absent', undefined],
  ['no decimal', '2,8'],
  ['null', null],
])('an amount that is %s', (_, amount) => {
  test('is unknown, never 0: no conclusion', () => {
    const result = withAmount(amount);
    expect(codes(result)).toEqual(['precision_loss S4']);
    expect(result.calls[0]).toMatchObject({ verdict: 'not_checkable', charged: null });
    expect(result.money).toMatchObject({ charged: null, difference: null, certain_under: '0' });
    expect(result.inconclusive).toContain('the amount of 1 record could not be read');
  });

  test('beside a right charge leaves less than all of the money checked', () => {
    const records = [recordOf('b'), { ...recordOf('a', ALONE), amount }];
    const result = judge({ rows: [textRow('a'), textRow('b')], sweeps: [{ records }] });
    expect(result.coverage).toMatchObject({ to_the_digit: 0.5, not_checkable: 0.5 });
    expect(result.coverage.settings.at(-1)).toMatchObject({ name: 'unreadable_amounts', value: '1' });
    expect(result.money).toMatchObject({ expected: '0.0028', difference: '0', charged: null });
  });

  test('on a second record, a refused call or a killed one is no pass either', () => {
    const second = { ...recordOf('a', { ...ALONE, id: 'rec-2' }), amount };
    const doubled = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), second] }] });
    expect(doubled.inconclusive).toContain('the amount of 1 record could not be read');
    const refused = judge({ rows: [errorRow('a', 400)], sweeps: [{ records: [second] }] });
    expect(refused.inconclusive).toContain('the amount of 1 record could not be read');
    const killed = judge({ intents: [intentOf('a')], sweeps: [{ records: [second] }] });
    expect(killed.inconclusive).toContain('the amount of 1 record could not be read');
  });
});

describe.each([
  ['a JSON number', 0.0028, 1000, 'amount:number'],
  ['a text with an exponent', '2.8e-3', '1e3', 'amount:exponent'],
])('an amount that is %s', (_, right, wrong, rule) => {
  test('is judged by its value, and told below the gate', () => {
    const honest = withAmount(right);
    expect(only(honest)).toMatchObject({ class: 'precision_loss', rule, severity: 'S4' });
    expect(honest.calls[0]).toMatchObject({ verdict: 'to_the_digit', charged: '0.0028' });
    expect(honest.inconclusive).toEqual([]);
    const result = withAmount(wrong);
    expect(codes(result)).toEqual(['amount_mismatch S1', 'precision_loss S4']);
    expect(result.findings[0]?.delta_exact).toBe('999.9972');
  });
});

test('a decimal comma has no value: nobody says which of both it separates', () => {
  expect(withAmount('0,0028').calls[0]).toMatchObject({ verdict: 'not_checkable', charged: null });
});

test('a finding that gates is told without the reason of an unreadable amount beside it', () => {
  const records = [recordOf('b', { ...ALONE, amount: '1' }), { ...recordOf('a', ALONE), amount: '7,0' }];
  const result = judge({ rows: [textRow('a'), textRow('b')], sweeps: [{ records }] });
  expect(result.gated).toBe(true);
  expect(result.inconclusive).toEqual([]);
});

describe('a status that nobody has named', () => {
  /** Amounts that add up under no meaning of the status. */
  const charged = { billing_status: 'charged', reserved_amount: '0.01', refunded_amount: '0.001' };

  test('on a second record with an amount is a duplicate all the same', () => {
    const second = recordOf('a', { ...charged, id: 'rec-2', amount: '1' });
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), second] }] });
    expect(brief(result)).toEqual(
      ['unknown_status billing_status open', 'duplicate_charge second_settled_record 1'].sort(),
    );
    expect(result.gated).toBe(true);
  });

  test('on a second record that is pending or refunded is none', () => {
    for (const billing_status of ['pending', 'refunded']) {
      const second = recordOf('a', { ...ALONE, id: 'rec-2', amount: '0', billing_status });
      const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), second] }] });
      expect(result.findings.map(({ class: name }) => name)).not.toContain('duplicate_charge');
    }
  });

  test('on the record of a call has its amount judged like a settled one', () => {
    const of = (amount: string): Reconciliation =>
      judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a', { ...charged, amount })] }] });
    expect(codes(of('0.005'))).toEqual(['amount_mismatch S1', 'unknown_status S4']);
    expect(only(of('0.0028')).class).toBe('unknown_status');
    expect(of('0.0028').calls[0]?.verdict).toBe('to_the_digit');
    expect(of('0').calls[0]?.verdict).toBe('provisional');
  });
});

import { describe, expect, test } from 'vitest';
import type { ClassCoverage } from '../../../contracts/coverage-result.ts';
import { FAULT_CLASSES, type FaultClass } from '../../../contracts/fault-class.ts';
import type { Reconciliation } from '../../../contracts/reconciliation.ts';
import { cutRow, errorRow, imageRow, judge, recordOf, textRow } from '../../reconcile.test-support.ts';
import { READ_CHECKS, ROW_CHECKS } from './class-coverage.ts';

function of(result: Reconciliation, name: FaultClass): Omit<ClassCoverage, 'class'> {
  const line = result.coverage.classes.find((each) => each.class === name);
  if (line === undefined) throw new Error(`no line of ${name}`);
  const { checked, found, below } = line;
  return { checked, found, below };
}

test('every class has a check of its own, and a line in the order of the list', () => {
  const without = FAULT_CLASSES.filter((name) => !(name in ROW_CHECKS) && !(name in READ_CHECKS));
  expect(without).toEqual([]);
  const { classes } = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a')] }] }).coverage;
  expect(classes.map((line) => line.class)).toEqual(FAULT_CLASSES);
});

describe('none of n', () => {
  const rows = Array.from({ length: 6 }, (_, index) => textRow(`r${index}`));
  const records = rows.map((_, index) => recordOf(`r${index}`));

  test('means a rate below 3/n, and nothing at all where n is 0', () => {
    const result = judge({ rows, sweeps: [{ records }] });
    expect(of(result, 'token_mismatch')).toEqual({ checked: 6, found: 0, below: 0.5 });
    expect(of(result, 'cache_double_charge')).toEqual({ checked: 0, found: 0, below: null });
    expect(of(result, 'video_units_wrong')).toEqual({ checked: 0, found: 0, below: null });
    const two = judge({ rows: rows.slice(0, 2), sweeps: [{ records: records.slice(0, 2) }] });
    expect(of(two, 'token_mismatch').below).toBe(1);
  });

  test('counts no row whose charge could not be checked', () => {
    const result = judge({
      rows: [...rows, imageRow('x', { units: null }), textRow('y')],
      sweeps: [
        { records: [...records, recordOf('x'), recordOf('y', { billing_status: 'pending', amount: '0' })] },
      ],
    });
    expect(of(result, 'amount_mismatch').checked).toBe(6);
    expect(of(result, 'image_price').checked).toBe(0);
    expect(of(result, 'group_ratio_wrong').checked).toBe(6);
  });

  test('gives no bound where the fault was found', () => {
    const wrong = recordOf('r0', { amount: '0.0029', refunded_amount: '0.0071' });
    const result = judge({ rows, sweeps: [{ records: [wrong, ...records.slice(1)] }] });
    expect(of(result, 'amount_mismatch')).toEqual({ checked: 6, found: 1, below: null });
  });
});

test('a class is checked only on rows of its own kind', () => {
  const result = judge({
    rows: [errorRow('a', 429), errorRow('b', 502), cutRow('c'), textRow('d')],
    sweeps: [
      {
        records: [
          recordOf('c', {
            result: 'incomplete',
            output_tokens: 40,
            amount: '0.00232',
            refunded_amount: '0.00768',
          }),
          recordOf('d'),
        ],
      },
    ],
  });
  const checked = (name: FaultClass) => of(result, name).checked;
  expect(checked('charged_on_rejected')).toBe(1);
  expect(checked('charged_on_server_error')).toBe(1);
  expect(checked('disconnect_overcharge')).toBe(1);
  expect(checked('uncharged_success')).toBe(1);
  expect(checked('unrecorded_request')).toBe(1);
  expect(checked('duplicate_charge')).toBe(2);
  expect(checked('page_gap_or_overlap')).toBe(1);
});

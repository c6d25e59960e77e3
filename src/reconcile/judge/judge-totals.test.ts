import { describe, expect, test } from 'vitest';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { UsageRecord, UsageSums } from '../../contracts/interface.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import {
  brief,
  IMAGE_RECORD,
  imageRow,
  judge,
  only,
  recordOf,
  START_S,
  textRow,
} from '../reconcile.test-support.ts';

const DAY = '2026-11-20';
const TEXT: UsageSums = {
  settled_amount: '0.0028',
  pending_amount: '0',
  refunded_amount: '0.0072',
  records: 1,
  unknown_records: 0,
};
const IMAGE: UsageSums = { ...TEXT, settled_amount: '0.02', refunded_amount: '0' };
const ALL: UsageSums = { ...TEXT, settled_amount: '0.0228', records: 2 };

const RIGHT = {
  ...ALL,
  currency: 'USD',
  start_time: START_S,
  end_time: START_S + 1,
  by_model: [
    { ...TEXT, model: 'text-1' },
    { ...IMAGE, model: 'image-1' },
  ],
  daily: [{ ...ALL, date: DAY }],
};

function withTotals(totals: unknown, sweeps = 2): Reconciliation {
  const records = [recordOf('a'), recordOf('b', IMAGE_RECORD)];
  return judge({
    rows: [textRow('a'), imageRow('b')],
    sweeps: Array.from({ length: sweeps }, () => ({ records, totals })),
  });
}

describe('totals', () => {
  test('that agree with the records and their parts give no finding', () => {
    expect(brief(withTotals(RIGHT))).toEqual([]);
    expect(withTotals(RIGHT).completeness.totals_records).toBe(2);
  });

  const held = { billing_status: 'pending', amount: '0.002', reserved_amount: '0.03', refunded_amount: '0' };
  const back = { billing_status: 'refunded', amount: '0', reserved_amount: '0.05', refunded_amount: '0.05' };

  test.each<[string, Partial<UsageRecord>, Partial<UsageSums>]>([
    ['settled before refunds', {}, { settled_amount: '0.03' }],
    ['settled after refunds that records hold', { amount: '0.01' }, {}],
    [
      'settled of all final records',
      { ...back, amount: '0.004' },
      { refunded_amount: '0.05', settled_amount: '0.024' },
    ],
    ['refunded of what was given back alone', {}, { refunded_amount: '0' }],
    ['pending from reserves', held, { settled_amount: '0.02', pending_amount: '0.03', refunded_amount: '0' }],
    ['pending from amounts', held, { settled_amount: '0.02', pending_amount: '0.002', refunded_amount: '0' }],
  ])('that sum %s are as lawful', (_, record, sums) => {
    const totals = {
      ...RIGHT,
      ...sums,
      by_model: [{ ...ALL, ...sums, model: 'text-1' }],
      daily: [{ ...ALL, ...sums, date: DAY }],
    };
    const records = [recordOf('a', record), recordOf('b', { ...IMAGE_RECORD, model: 'text-1' })];
    const result = judge({
      rows: [textRow('a'), imageRow('b')],
      sweeps: [
        { records, totals },
        { records, totals },
      ],
    });
    expect(brief(result).filter((each) => /totals|daily|by_model|day/.test(each))).toEqual([]);
  });

  test.each([
    ['settled', { settled_amount: '0.0229' }, '0.0001'],
    ['pending', { pending_amount: '0.5' }, '0.5'],
    ['refunded', { refunded_amount: '0.0071' }, '-0.0001'],
    ['records', { records: 3 }, 'open'],
  ])('that disagree with the records in %s', (figure, changes, delta) => {
    const totals = {
      ...RIGHT,
      ...changes,
      by_model: [{ ...TEXT, ...difference(changes), model: 'text-1' }, RIGHT.by_model[1]],
      daily: [{ ...ALL, ...changes, date: DAY }],
    };
    expect(brief(withTotals(totals))).toEqual([`totals_disagree_records records:${figure} ${delta}`]);
  });

  test.each([
    ['settled_amount', { settled_amount: undefined }],
    ['settled_amount', { settled_amount: '0.0228000000001234' }],
    ['pending_amount', { pending_amount: null }],
    ['records', { records: '2' }],
    ['by_model', { by_model: undefined }],
    ['daily', { daily: undefined }],
    ['daily', { daily: {} }],
    ['daily.settled_amount', { daily: [{ ...ALL, settled_amount: 'one', date: DAY }] }],
    ['currency', { currency: undefined }],
  ])('without a readable %s are a finding at once, never a silent pass: %j', (field, changes) => {
    const result = withTotals({ ...RIGHT, ...changes }, 1);
    expect(only(result)).toMatchObject({
      class: 'totals_disagree_records',
      rule: `unreadable:${field}`,
      severity: 'S3',
      direction: 'none',
      delta_exact: null,
      provisional: false,
    });
    expect(result.gated).toBe(true);
  });

  test.each([0.0228, '2.28e-2'])('may write an amount as %j', (settled_amount) => {
    expect(brief(withTotals({ ...RIGHT, settled_amount }))).toEqual([]);
  });

  test('that are no object are one finding', () => {
    expect(brief(withTotals([], 1))).toEqual(['totals_disagree_records unreadable:body open']);
  });

  test('keep their other figures compared where one is unreadable', () => {
    const totals = { ...RIGHT, settled_amount: 1, pending_amount: '0.5' };
    expect(brief(withTotals(totals))).toContain('totals_disagree_records records:pending 0.5');
  });

  test('are read as declared, and that they do not fit so is a finding', () => {
    const declared = (changes: Partial<typeof NO_TERMS.readings>): readonly string[] =>
      brief(
        judge({
          rows: [textRow('a'), imageRow('b')],
          sweeps: [1, 2].map(() => ({
            records: [recordOf('a'), recordOf('b', IMAGE_RECORD)],
            totals: RIGHT,
          })),
          terms: { readings: { ...NO_TERMS.readings, ...changes } },
        }),
      );
    expect(declared({ totals_settled: 'final_amount', totals_refunded: 'all' })).toEqual([]);
    expect(declared({ totals_settled: 'amount_less_refunded' })).toEqual([
      'totals_disagree_records records:settled 0.0072',
    ]);
    expect(declared({ totals_refunded: 'refunded_only' })).toEqual([
      'totals_disagree_records records:refunded 0.0072',
    ]);
    expect(declared({ totals_pending: 'amount' })).toEqual([]);
  });

  test('may sum what was held: amounts with their refunds, where these are taken off, and less them elsewhere', () => {
    const of = (settled_amount: string, amount: 'net' | 'gross' | 'auto'): readonly string[] => {
      const held = { ...TEXT, settled_amount, refunded_amount: '0.0072' };
      const totals = {
        ...RIGHT,
        ...held,
        by_model: [{ ...held, model: 'text-1' }],
        daily: [{ ...held, date: DAY }],
      };
      const record = amount === 'gross' ? { amount: '0.01' } : {};
      return brief(
        judge({
          rows: [textRow('a')],
          sweeps: [1, 2].map(() => ({ records: [recordOf('a', record)], totals })),
          terms: { readings: { ...NO_TERMS.readings, amount } },
        }),
      );
    };
    expect(of('0.01', 'net')).toEqual([]);
    expect(of('0.01', 'auto')).toEqual([]);
    expect(of('0.0028', 'gross')).toEqual([]);
    // An amount without its refund holds none that could come off it once more.
    expect(of('-0.0044', 'net')).toEqual(['totals_disagree_records records:settled -0.0072']);
    expect(of('0.0172', 'gross')).toEqual(['totals_disagree_records records:settled 0.0072']);
  });

  test('in another currency than USD are a finding', () => {
    expect(only(withTotals({ ...RIGHT, currency: 'EUR' }, 1))).toMatchObject({
      class: 'currency_or_unit_error',
      rule: 'totals_currency',
      severity: 'S1',
    });
  });

  test('may have moved between two reads: provisional until a second sweep shows the same', () => {
    const totals = {
      ...RIGHT,
      settled_amount: '1',
      by_model: [{ ...TEXT, settled_amount: '0.98', model: 'text-1' }, RIGHT.by_model[1]],
      daily: [{ ...ALL, settled_amount: '1', date: DAY }],
    };
    const once = withTotals(totals, 1);
    expect(only(once)).toMatchObject({ class: 'totals_disagree_records', provisional: true });
    expect(once.wanted).toEqual([{ read: 'sweep', why: 'totals and records moved between their reads' }]);
    const twice = withTotals(totals, 2);
    expect(only(twice)).toMatchObject({ provisional: false, severity: 'S3' });
    expect(twice.gated).toBe(true);
    expect(twice.wanted).toEqual([]);
  });

  test('that grow with the calls of others leave the same gap twice, and are still no fault', () => {
    const totals = (settled: string) => ({
      ...RIGHT,
      settled_amount: settled,
      by_model: [{ ...TEXT, settled_amount: settled, model: 'text-1' }],
      daily: [{ ...ALL, settled_amount: settled, date: DAY }],
    });
    const foreign = recordOf('z', { id: 'foreign-1', request_id: 'req-foreign' });
    const result = judge({
      key: 'shared',
      rows: [textRow('a')],
      sweeps: [
        { records: [recordOf('a')], totals: totals('0.0056') },
        { records: [recordOf('a'), foreign], totals: totals('0.0084') },
      ],
    });
    expect(result.findings.filter(({ rule }) => rule === 'records:settled')).toMatchObject([
      { provisional: true },
    ]);
  });

  test('are contradicted by their own parts at once: both stand in one answer', () => {
    const models = { ...RIGHT, by_model: [RIGHT.by_model[0]] };
    expect([...brief(withTotals(models, 1))].sort()).toEqual([
      'by_model_or_daily_partition by_model:records open',
      'by_model_or_daily_partition by_model:settled 0.02',
    ]);
    const days = { ...RIGHT, daily: [...RIGHT.daily, { ...TEXT, date: '2026-11-21' }] };
    expect(brief(withTotals(days, 1)).filter((line) => line.includes('settled'))).toEqual([
      'by_model_or_daily_partition daily:settled -0.0028',
    ]);
  });

  test('that put a record in another UTC day shift the boundary', () => {
    const totals = {
      ...RIGHT,
      daily: [
        { ...TEXT, date: DAY },
        { ...IMAGE, date: '2026-11-21' },
      ],
    };
    const result = withTotals(totals);
    expect(result.findings.every((finding) => finding.class === 'day_boundary_shift')).toBe(true);
    expect(brief(result)).toContain('day_boundary_shift day_records:settled 0.02');
  });

  test('that report unknown records are a finding below the gate', () => {
    const unknown = { unknown_records: 1 };
    const totals = {
      ...RIGHT,
      ...unknown,
      by_model: [{ ...TEXT, ...unknown, model: 'text-1' }, RIGHT.by_model[1]],
      daily: [{ ...ALL, ...unknown, date: DAY }],
    };
    const result = withTotals(totals);
    expect(brief(result)).toEqual(['unknown_records reported_by_totals open']);
    // The interface documents the figure: it is told, and no fault.
    expect(only(result).severity).toBe('S4');
    expect(result.gated).toBe(false);
  });

  test('hold foreign records of a shared key as well, which is no finding', () => {
    const records = [recordOf('a'), recordOf('b', IMAGE_RECORD)];
    const result = judge({ rows: [textRow('a')], sweeps: [{ records, totals: RIGHT }], key: 'shared' });
    expect(brief(result)).toEqual([]);
    expect(result.money.foreign.records).toBe(1);
  });
});

/** The same change in the one part that must carry it, so that the parts still sum to the whole. */
function difference(changes: Partial<UsageSums>): Partial<UsageSums> {
  if (changes.settled_amount !== undefined) return { settled_amount: '0.0029' };
  return changes.records === undefined ? changes : { records: 2 };
}

describe('totals by a lawful sum of their own', () => {
  const PART = { ...TEXT, settled_amount: '0.01' };

  test('may add what was given back to the amounts', () => {
    const all = { ...ALL, settled_amount: '0.03' };
    const totals = {
      ...RIGHT,
      ...all,
      by_model: [{ ...PART, model: 'text-1' }, RIGHT.by_model[1]],
      daily: [{ ...all, date: DAY }],
    };
    expect(brief(withTotals(totals))).toEqual([]);
  });

  test('may do so for settled records alone', () => {
    const given = { ...IMAGE_RECORD, billing_status: 'refunded', amount: '0', refunded_amount: '0.02' };
    const all = { ...ALL, settled_amount: '0.01', refunded_amount: '0.0272' };
    const result = judge({
      rows: [textRow('a'), imageRow('b')],
      sweeps: [1, 2].map(() => ({
        records: [recordOf('a'), recordOf('b', given)],
        totals: { currency: 'USD', ...all, by_model: [], daily: [{ ...all, date: DAY }] },
      })),
    });
    expect(brief(result).filter((line) => line.startsWith('totals_disagree_records'))).toEqual([]);
  });

  test.each([
    ['of all that was charged', '0.0228', []],
    ['but not one of less', '0.0227', ['totals_disagree_records records:settled 0.0199']],
  ])('may count no record as pending, with a sum %s', (_, settled_amount, expected) => {
    const records = [recordOf('a'), recordOf('b', { ...IMAGE_RECORD, billing_status: 'pending' })];
    const all = { ...ALL, settled_amount };
    const totals = { currency: 'USD', ...all, by_model: [], daily: [{ ...all, date: DAY }] };
    const result = judge({
      rows: [textRow('a'), imageRow('b')],
      sweeps: [1, 2].map(() => ({ records, totals })),
    });
    expect(brief(result).filter((line) => line.startsWith('totals_disagree_records'))).toEqual(expected);
  });
});

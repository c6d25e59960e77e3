import { describe, expect, test } from 'vitest';
import { type BillingTerms, NO_TERMS } from '../../contracts/billing-terms.ts';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import {
  brief,
  errorRow,
  judge,
  only,
  recordOf,
  START_MS,
  textRow,
  VIDEO_RECORD,
  videoRow,
} from '../reconcile.test-support.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Terms by which a reserve may be held so long. */
function heldFor(ms: number): BillingTerms {
  const deadlines = { ...NO_TERMS.deadlines, by_class: { reservation_leak: ms } };
  return { ...NO_TERMS, deadlines };
}

describe('refunds and reserves', () => {
  const failed = videoRow('a', { outcome: 'task_failed', error_type: 'task_failed' });

  test('a failed task keeps nothing', () => {
    const result = judge({
      rows: [failed],
      sweeps: [{ records: [recordOf('a', { ...VIDEO_RECORD, result: 'failed' })] }],
    });
    expect(brief(result)).toEqual(['failed_task_not_refunded charged 0.4 provisional']);
  });

  test('a refund must be the whole reserve', () => {
    const record = recordOf('a', {
      ...VIDEO_RECORD,
      billing_status: 'refunded',
      amount: '0',
      refunded_amount: '0.3',
    });
    expect(brief(judge({ rows: [failed], sweeps: [{ records: [record] }] }))).toEqual([
      'partial_refund_wrong refunded_arithmetic 0.1',
    ]);
  });

  test.each<[string, Partial<UsageRecord>]>([
    ['released and told as a refund', {}],
    ['released without a word', { refunded_amount: '0' }],
    ['rewritten to the amount', { reserved_amount: '0.0028', refunded_amount: '0' }],
    ['set to 0', { reserved_amount: '0', refunded_amount: '0' }],
    ['refunded by more than was reserved', { refunded_amount: '0.0144' }],
  ])('a settled record is judged by its amount alone: its reserve %s', (_, changes) => {
    const wrong = {
      ...changes,
      amount: '0.0030',
      reserved_amount: changes.reserved_amount === '0' ? '0' : '0.01',
    };
    const result = judge({
      rows: [textRow('a'), textRow('b')],
      sweeps: [{ records: [recordOf('a', changes), recordOf('b', wrong)] }],
    });
    expect(brief(result)).toEqual(['amount_mismatch amount 0.0002']);
    expect(result.money).toMatchObject({ charged: '0.0058', certain_over: '0.0002' });
  });

  test('a negative amount is one finding over money, not two that cancel', () => {
    const record = recordOf('a', { amount: '-0.0028' });
    expect(brief(judge({ rows: [textRow('a')], sweeps: [{ records: [record] }] }))).toEqual([
      'amount_mismatch amount -0.0056',
      'negative_component amount open',
    ]);
  });

  test('a charge above the reserve is no fault by itself', () => {
    const record = recordOf('a', { reserved_amount: '0.001', refunded_amount: '0' });
    expect(brief(judge({ rows: [textRow('a')], sweeps: [{ records: [record] }] }))).toEqual([]);
  });

  test('where records show amounts before refunds, they are read that way', () => {
    const record = recordOf('a', { amount: '0.01', reserved_amount: '0.01', refunded_amount: '0.0072' });
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [record] }] });
    expect(brief(result)).toEqual([]);
    expect(result.coverage.settings[0]).toMatchObject({
      name: 'amount_meaning',
      value: 'gross',
      evidence: '0 settled records with a refund fit net, 1 fit gross',
    });
  });

  test.each(['auto', 'gross'] as const)('no reading of amounts (%s) makes a charge negative', (amount) => {
    const others = ['b', 'c'].map((name) =>
      recordOf(name, { amount: '0.01', reserved_amount: '0.01', refunded_amount: '0.0072' }),
    );
    const record = recordOf('a', { amount: '0.0030', reserved_amount: '0.01', refunded_amount: '0.0070' });
    const back = recordOf('d', { billing_status: 'refunded', amount: '0', refunded_amount: '0.01' });
    const rows = [...['a', 'b', 'c'].map((name) => textRow(name)), errorRow('d', 429)];
    const terms = { readings: { ...NO_TERMS.readings, amount } };
    const result = judge({ rows, sweeps: [{ records: [record, back, ...others] }], terms });
    expect(result.findings).toMatchObject([
      {
        class: 'negative_component',
        rule: 'amount less refunded_amount',
        severity: 'S3',
        confidence: 'bounded',
      },
    ]);
    expect(result.money).toMatchObject({ charged: '0.0086', difference: '0', certain_over: '0' });
  });

  test('a declared reading of amounts that the records contradict is said, and leaves no conclusion', () => {
    const of = (amount: 'net' | 'gross'): Reconciliation =>
      judge({
        rows: [textRow('a')],
        sweeps: [{ records: [recordOf('a')] }],
        terms: { readings: { ...NO_TERMS.readings, amount } },
      });
    const counts = '1 settled records with a refund fit net, 0 fit gross';
    expect(of('gross').coverage.settings[0]?.evidence).toBe(
      `declared in billing.readings.amount, but ${counts}`,
    );
    expect(of('gross').inconclusive).toEqual([`billing.readings.amount is declared as gross, but ${counts}`]);
    expect(of('net').inconclusive).toEqual([]);
    const terms = { readings: { ...NO_TERMS.readings, amount: 'gross' as const }, assumed: ['amount'] };
    expect(
      judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a')] }], terms }).inconclusive,
    ).toEqual([`--assume-reading amount is declared as gross, but ${counts}`]);
  });

  const held = recordOf('a', {
    billing_status: 'pending',
    result: 'unknown',
    amount: '0',
    refunded_amount: '0',
  });

  test('a pending record is provisional until its deadline, then a leak', () => {
    const terms = heldFor(14 * MINUTE_MS);
    const early = judge({ rows: [textRow('a')], terms, sweeps: [{ records: [held] }] });
    expect(brief(early)).toEqual(['reservation_leak pending_past_deadline 0.0072 provisional']);
    expect(early.gated).toBe(false);
    expect(early.calls[0]?.verdict).toBe('provisional');
    expect(early.wanted).toEqual([{ read: 'sweep', why: 'reservations are pending' }]);
    expect(early.money).toMatchObject({ pending: '0.01', charged: '0', expected: null });
    const late = judge({
      rows: [textRow('a')],
      terms,
      sweeps: [{ records: [held], at_ms: START_MS + 16 * MINUTE_MS }],
    });
    expect(brief(late)).toEqual(['reservation_leak pending_past_deadline 0.0072']);
    expect(late.findings[0]?.warrant).toEqual({ kind: 'declaration', of: 'billing.deadlines' });
    expect(late.gated).toBe(true);
    expect(early.findings[0]?.id).toBe(late.findings[0]?.id);
    expect(late.findings[0]?.explanation).toMatch(
      /^Record rec-a still holds \$0\.01; we compute \$0\.0028 for its call; /,
    );
  });

  test('a task may stay pending for as long as is declared', () => {
    const record = { ...held, model: 'video-1' };
    const terms = heldFor(DAY_MS - MINUTE_MS);
    const at = (at_ms: number): Reconciliation =>
      judge({ rows: [videoRow('a')], terms, sweeps: [{ records: [record], at_ms }] });
    expect(at(START_MS + 23 * 3_600_000).gated).toBe(false);
    expect(at(START_MS + DAY_MS + MINUTE_MS).gated).toBe(true);
  });

  test.each([
    ['few others are final', 20, 'S4', 'sentence', false],
    ['a hundred others are final', 100, 'S3', 'habit', true],
  ])('without a deadline, where %s', (_, others, severity, kind, gated) => {
    const names = Array.from({ length: others }, (__, index) => `other-${index}`);
    const result = judge({
      rows: [textRow('a'), ...names.map((name) => textRow(name))],
      sweeps: [{ records: [held, ...names.map((name) => recordOf(name))], at_ms: START_MS + 16 * MINUTE_MS }],
    });
    expect(only(result)).toMatchObject({ class: 'reservation_leak', severity, warrant: { kind } });
    expect(result.gated).toBe(gated);
  });

  test('a record that settles between two pages of one sweep counts as settled, once', () => {
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), held] }] });
    expect(brief(result)).toEqual([]);
    expect(result.money).toMatchObject({ charged: '0.0028', pending: '0', records: 1 });
  });

  test('pending, then settled in the next sweep: nothing is wrong and nothing more is wanted', () => {
    const result = judge({
      rows: [textRow('a')],
      sweeps: [{ records: [held] }, { records: [recordOf('a')] }],
    });
    expect(brief(result)).toEqual([]);
    expect(result.wanted).toEqual([]);
    expect(result.calls[0]?.verdict).toBe('to_the_digit');
  });
});

test('a negative amount of a refunded record is told once, and claims no refund', () => {
  const record = recordOf('a', {
    ...VIDEO_RECORD,
    billing_status: 'refunded',
    amount: '-0.1',
    refunded_amount: '0.4',
  });
  const failed = videoRow('a', { outcome: 'task_failed', error_type: 'task_failed' });
  const classes = judge({ rows: [failed], sweeps: [{ records: [record] }] }).findings.map(
    (each) => each.class,
  );
  expect(classes).toContain('negative_component');
  expect(classes).not.toContain('partial_refund_wrong');
});

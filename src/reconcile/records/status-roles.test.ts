import { expect, test } from 'vitest';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { UsageRecord } from '../../contracts/interface.ts';
import {
  brief,
  type InputSpec,
  judge,
  recordOf,
  START_MS,
  textRow,
  totalsWith,
} from '../reconcile.test-support.ts';

const DAY_MS = 86_400_000;
const HELD: Partial<UsageRecord> = { billing_status: 'reserved', amount: '0', refunded_amount: '0' };
const BACK: Partial<UsageRecord> = { billing_status: 'released', amount: '0', refunded_amount: '0.01' };

function settings(spec: InputSpec): readonly string[] {
  return judge(spec)
    .coverage.settings.filter(({ name }) => name.startsWith('status_'))
    .map(({ name, value }) => `${name} ${value}`);
}

test('an honest gateway with other words: waiting, settled and given back are known by their amounts', () => {
  const rows = [
    textRow('a'),
    textRow('b', { outcome: 'http_error', status: 429, error_type: 'rate_limited', usage: null }),
    textRow('c'),
  ];
  const spec: InputSpec = {
    rows,
    sweeps: [
      { records: [recordOf('a', { billing_status: 'posted' }), recordOf('b', BACK), recordOf('c', HELD)] },
    ],
  };
  expect(brief(judge(spec))).toEqual(['reservation_leak pending_past_deadline 0.0072 provisional']);
  expect(settings(spec)).toEqual([
    'status_posted settled',
    'status_released refunded',
    'status_reserved pending',
  ]);
  expect(judge(spec).money).toMatchObject({ charged: '0.0028', pending: '0.01', difference: '0' });
});

test('a record that waits under another word is awaited, and a leak past its deadline', () => {
  const at = (at_ms: number) =>
    judge({
      rows: [textRow('a')],
      sweeps: [{ records: [recordOf('a', HELD)], totals: totalsWith({ pending_amount: '0.01' }), at_ms }],
    });
  expect(at(START_MS + 60_000).wanted).toEqual([{ read: 'sweep', why: 'reservations are pending' }]);
  expect(brief(at(START_MS + DAY_MS))).toEqual(['reservation_leak pending_past_deadline 0.0072']);
});

test('amounts before refunds: what came back whole is given back, not charged', () => {
  const gross = { billing_status: 'released', amount: '0.01', refunded_amount: '0.01' };
  const rows = [
    textRow('a', { outcome: 'http_error', status: 400, error_type: 'http_4xx', usage: null }),
    textRow('b'),
  ];
  const records = [recordOf('a', gross), recordOf('b', { amount: '0.01' })];
  expect(brief(judge({ rows, sweeps: [{ records }] }))).toEqual([]);
});

test('what the user declares counts, whatever the amounts look like', () => {
  const spec: InputSpec = {
    rows: [textRow('a')],
    sweeps: [{ records: [recordOf('a', HELD)] }],
    terms: {
      readings: { ...NO_TERMS.readings, status: { reserved: 'settled' } },
    },
  };
  expect(settings(spec)).toEqual(['status_reserved settled']);
  expect(brief(judge(spec))).toContain('uncharged_success reserved -0.0028');
});

test('a trusted account reserves nothing: an amount that comes later tells that it was awaited', () => {
  const trusted = { reserved_amount: '0', refunded_amount: '0' };
  const spec: InputSpec = {
    rows: [textRow('a')],
    sweeps: [
      { records: [recordOf('a', { ...trusted, billing_status: 'open', amount: '0' })] },
      { records: [recordOf('a', trusted)] },
    ],
  };
  expect(brief(judge(spec))).toEqual([]);
});

test('what a waiting record becomes without any change of money is unknown, not waiting', () => {
  const spec: InputSpec = {
    rows: [textRow('a')],
    sweeps: [
      { records: [recordOf('a', HELD)] },
      {
        records: [recordOf('a', { ...HELD, billing_status: 'uncertain' })],
        totals: totalsWith({ unknown_records: 1 }),
        at_ms: START_MS + DAY_MS,
      },
    ],
  };
  expect(brief(judge(spec))).toEqual([
    'unknown_records reported_by_totals open',
    'unknown_records status_unknown open',
    'unknown_status billing_status open',
  ]);
});

test('where the amounts add up under no meaning, the word stays unknown', () => {
  const records = [recordOf('a', { billing_status: 'odd', refunded_amount: '0.001' })];
  const spec: InputSpec = { rows: [textRow('a')], sweeps: [{ records }] };
  expect(settings(spec)).toEqual(['status_odd unknown']);
  expect(brief(judge(spec))).toEqual(['unknown_status billing_status open']);
});

import { expect, test } from 'vitest';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { UsageRecord } from '../../contracts/interface.ts';
import {
  brief,
  errorRow,
  type InputSpec,
  judge,
  recordOf,
  START_MS,
  type SweepSpec,
  textRow,
  totalsWith,
} from '../reconcile.test-support.ts';

const MINUTE_MS = 60_000;
const LATE_MS = START_MS + 2 * 86_400_000;
const FREE: Partial<UsageRecord> = { billing_status: 'voided', amount: '0', refunded_amount: '0' };

function judged(sweeps: readonly SweepSpec[], more: Partial<InputSpec> = {}) {
  const { coverage, money, ...result } = judge({ rows: [textRow('a')], sweeps, ...more });
  return {
    said: brief({ coverage, money, ...result }),
    roles: coverage.settings.filter(({ name }) => name.startsWith('status_')).map(({ value }) => value),
    verdicts: result.calls.map(({ verdict }) => verdict),
    wanted: result.wanted.length,
    under: money.certain_under,
    pending: money.pending,
  };
}

const voided = recordOf('a', FREE);
const first = { records: [voided], totals: totalsWith({}), at_ms: START_MS + MINUTE_MS };
const minuteLater = { ...first, at_ms: START_MS + 2 * MINUTE_MS };

test('an amount of 0 that stays, and that no total counts as pending, is final and no leak', () => {
  expect(judged([first, minuteLater])).toEqual({
    said: [],
    roles: ['waived'],
    verdicts: ['within_bounds'],
    wanted: 0,
    under: '0',
    pending: '0',
  });
});

test('until it was seen to stay for a minute it is awaited', () => {
  const sooner = { ...first, at_ms: START_MS + 2 * MINUTE_MS - 1 };
  for (const sweeps of [[first], [first, sooner], [{ ...first, complete: false }, minuteLater]]) {
    expect(judged(sweeps)).toMatchObject({
      said: ['unknown_records status_unknown open provisional', 'unknown_status billing_status open'],
      verdicts: ['provisional'],
      wanted: 1,
      pending: '0',
    });
  }
});

test('one read is enough once its time to settle has passed, as in the audit of a month', () => {
  expect(judged([{ ...first, at_ms: LATE_MS }], { rows: [], basis: 'records' }).said).toEqual([]);
  expect(judged([{ records: [voided], at_ms: LATE_MS }]).said).toEqual([]);
});

test.each([
  ['pending', { pending_amount: '0.01' }],
  ['unknown', { unknown_records: 1 }],
])('what the totals count as %s is not final', (_, figures) => {
  const told = totalsWith(figures);
  expect(
    judged([
      { ...first, totals: told },
      { ...minuteLater, totals: told, at_ms: LATE_MS },
    ]).said,
  ).toContain('reservation_leak pending_past_deadline 0.0072');
});

test('of two words the totals tell which one waits', () => {
  const held = recordOf('b', { ...FREE, billing_status: 'held', reserved_amount: '0.02' });
  const records = [voided, held];
  const told = totalsWith({ pending_amount: '0.02', records: 2 });
  const sweeps = [1, 2].map((minute) => ({ records, totals: told, at_ms: LATE_MS + minute * MINUTE_MS }));
  const { said, roles } = judged(sweeps, { rows: [textRow('a'), textRow('b')] });
  expect(said).toEqual(['reservation_leak pending_past_deadline 0.0172']);
  expect(roles).toEqual(['pending', 'waived']);
});

test('a word that another record was seen to leave is awaited', () => {
  const sweeps = [
    { records: [voided, recordOf('b', FREE)], at_ms: START_MS + MINUTE_MS },
    { records: [voided, recordOf('b')], at_ms: LATE_MS },
  ];
  expect(judged(sweeps, { rows: [textRow('a'), textRow('b')] }).said).toEqual([
    'reservation_leak pending_past_deadline 0.0072',
  ]);
});

test('a declared meaning counts, and `waived` can be declared', () => {
  const of = (role: 'pending' | 'waived') =>
    judged([first], { terms: { readings: { ...NO_TERMS.readings, status: { voided: role } } } }).said;
  expect(of('pending')).toEqual(['reservation_leak pending_past_deadline 0.0072 provisional']);
  expect(of('waived')).toEqual([]);
});

test('a refused call that is recorded as free is in order', () => {
  const rows = [errorRow('a', 429)];
  expect(judged([first, minuteLater], { rows })).toMatchObject({ said: [], wanted: 0 });
});

import { expect, test } from 'vitest';
import { formatInstant } from '../../core/time.ts';
import { judge, recordOf, START_MS, TOLD_TIMES, textRow } from '../reconcile.test-support.ts';

const rows = [textRow('a'), textRow('b')];
const soon = START_MS + 60_000;

test('open charges are added, carried and cleared, and the account closes', () => {
  const first = judge({
    rows,
    sweeps: [{ records: [recordOf('a')], at_ms: soon }],
    suspense: { run_id: 'one', opening: [] },
  });
  expect(first.money.suspense).toEqual({
    opening: { items: 0, amount: '0' },
    added: { items: 1, amount: '0.0028' },
    cleared: { items: 0, amount: '0' },
    closing: { items: 1, amount: '0.0028' },
  });
  expect(first.suspense).toMatchObject([
    {
      id: 'call:call-b',
      state: 'open',
      first_run: 'one',
      first_seen: formatInstant(soon),
      deadline_at: formatInstant(START_MS + 1000 + 15 * 60_000),
    },
  ]);
  const opening = first.suspense ?? [];
  const later = judge({
    rows: [textRow('c')],
    sweeps: [{ records: [recordOf('c'), recordOf('b')], at_ms: soon + 60_000 }],
    key: 'shared',
    suspense: { run_id: 'two', opening },
  });
  expect(later.suspense).toMatchObject([{ id: 'call:call-b', state: 'cleared', cleared_by: 'record:rec-b' }]);
  expect(later.money.suspense).toMatchObject({
    opening: { items: 1 },
    cleared: { items: 1, amount: '0.0028' },
    closing: { items: 0, amount: '0' },
  });
});

test('the same run judged again keeps when it was first seen, and a finding ends it', () => {
  const opening =
    judge({
      rows,
      sweeps: [{ records: [recordOf('a')], at_ms: soon }],
      suspense: { run_id: 'one', opening: [] },
    }).suspense ?? [];
  const again = judge({
    rows,
    sweeps: [{ records: [recordOf('a')], at_ms: soon + 60_000 }],
    suspense: { run_id: 'one', opening },
  });
  expect(again.suspense).toMatchObject([{ state: 'open', first_seen: formatInstant(soon) }]);
  const late = judge({
    rows,
    sweeps: [{ records: [recordOf('a')], at_ms: START_MS + 3_600_000 }],
    suspense: { run_id: 'one', opening },
    terms: TOLD_TIMES,
  });
  expect(late.suspense).toMatchObject([
    { state: 'cleared', cleared_by: `finding:${late.findings[0]?.id ?? 'none'}` },
  ]);
});

test('an item of an earlier run that no read explains is overdue once its deadline has passed', () => {
  const opening =
    judge({
      rows,
      sweeps: [{ records: [recordOf('a')], at_ms: soon }],
      suspense: { run_id: 'one', opening: [] },
    }).suspense ?? [];
  const states = [soon, START_MS + 3_600_000].map(
    (at_ms) =>
      judge({
        rows: [textRow('c')],
        sweeps: [{ records: [recordOf('c')], at_ms }],
        suspense: { run_id: 'two', opening },
      }).suspense?.[0]?.state,
  );
  expect(states).toEqual(['open', 'overdue']);
});

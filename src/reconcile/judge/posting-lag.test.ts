import { expect, test } from 'vitest';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import { brief, judge, only, recordOf, START_MS, textRow } from '../reconcile.test-support.ts';
import { elapsedText } from './posting-lag.ts';

const rows = [textRow('a'), textRow('b')];
const [early, late] = [recordOf('a'), recordOf('b')];
const quick = { deadlines: { ...NO_TERMS.deadlines, by_class: { late_posting: 30_000 } } };

test('a record that a complete sweep past its deadline did not hold is late', () => {
  const sweeps = [
    { records: [early], at_ms: START_MS + 60_000 },
    { records: [early, late], at_ms: START_MS + 120_000 },
  ];
  const found = only(judge({ rows, sweeps, terms: quick }));
  expect(found).toMatchObject({
    class: 'late_posting',
    request_id: 'req-b',
    direction: 'none',
    delta_exact: '0',
    severity: 'S3',
  });
  expect(found.explanation).toContain('between 59 s and 2 min after its call ended');
  expect(found.warrant).toEqual({ kind: 'declaration', of: 'billing.deadlines' });
  // Nobody told that a quarter of an hour is late.
  const slow = sweeps.map((sweep, index) => ({ ...sweep, at_ms: START_MS + (20 + index) * 60_000 }));
  const untold = judge({ rows, sweeps: slow });
  expect(untold.findings.find(({ class: name }) => name === 'late_posting')).toMatchObject({
    severity: 'S4',
  });
  expect(untold.gated).toBe(false);
});

test('nor is one that came in time, or that only an incomplete sweep missed', () => {
  const missed = { records: [early], at_ms: START_MS + 60_000 };
  const there = { records: [early, late], at_ms: START_MS + 120_000 };
  expect(brief(judge({ rows, sweeps: [missed, there] }))).toEqual([]);
  expect(brief(judge({ rows, sweeps: [{ ...missed, complete: false }, there], terms: quick }))).toEqual([]);
  expect(
    brief(judge({ rows, sweeps: [{ ...missed, at_ms: START_MS + 20_000 }, there], terms: quick })),
  ).toEqual([]);
});

test('nor is one whose call nobody saw end', () => {
  const sweeps = [
    { records: [early], at_ms: START_MS + 60_000 },
    { records: [early, late], at_ms: START_MS + 120_000 },
  ];
  expect(brief(judge({ basis: 'records', sweeps, terms: quick }))).toEqual([]);
});

test('a span is told in the unit that fits it', () => {
  expect([20, 1_500, 119_000, 5_400_000].map(elapsedText)).toEqual(['20 ms', '1.5 s', '2 min', '1.5 h']);
});

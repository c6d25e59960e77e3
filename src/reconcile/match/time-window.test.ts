import { expect, test } from 'vitest';
import { formatInstant } from '../../core/time.ts';
import { inputOf, recordOf, START_MS, START_S, textRow } from '../reconcile.test-support.ts';
import { paidCalls } from '../records/paid-call.ts';
import { serveRecord } from '../records/served-record.ts';
import { DEFAULT_WINDOW, inWindow, learnWindow, windowOf } from './time-window.ts';

/** Calls of `n` seconds, the n-th, each with a record dated by `dated` of its start and end. */
function pairs(count: number, dated: (start: number, end: number) => number) {
  const rows = Array.from({ length: count }, (_, n) =>
    textRow(`${n}`, { started_at: formatInstant(START_MS + n * 10_000), end_ms: (n % 7) * 1000 }),
  );
  const records = rows.map((_, n) =>
    recordOf(`${n}`, { created_at: dated(START_S + n * 10, START_S + n * 10 + (n % 7)) }),
  );
  const input = inputOf({ rows, sweeps: [{ records }] });
  const calls = paidCalls(input.ledger);
  return calls.map((call, n) => {
    const line = input.records[n];
    if (line === undefined) throw new RangeError(`no record ${n}`);
    return [call, serveRecord(line)] as const;
  });
}

test('is learnt from the moment, start or end, that the records keep to', () => {
  expect(learnWindow(pairs(40, (start) => start + 3))).toEqual({
    anchor: 'start',
    least_ms: 1_000,
    most_ms: 5_000,
    pairs: 40,
  });
  expect(learnWindow(pairs(40, (_, end) => end + 3))).toMatchObject({ anchor: 'end', least_ms: 1_000 });
});

test('keeps to the declared moment, however the records lie', () => {
  const byEnd = pairs(40, (_, end) => end + 3);
  expect(learnWindow(byEnd, 'acceptance')).toMatchObject({ anchor: 'start', pairs: 40 });
  expect(
    learnWindow(
      pairs(40, (start) => start),
      'settlement',
    ),
  ).toMatchObject({ anchor: 'end', pairs: 40 });
});

test('stays wide where few pairs tell', () => {
  expect(learnWindow(pairs(19, (start) => start))).toEqual(DEFAULT_WINDOW);
});

test('of a call that was cut reaches past the end that we gave it', () => {
  const [first] = pairs(40, (start) => start);
  if (first === undefined) throw new RangeError('no pair');
  const [call, record] = first;
  const learnt = learnWindow(pairs(40, (start) => start));
  const dated = (after: number) => ({ ...record, created_at: START_S + after });
  expect([2, 3].map((after) => inWindow(windowOf(learnt, call), dated(after)))).toEqual([true, false]);
  const cut = { ...call, outcome: 'truncated' as const };
  expect([100, 121].map((after) => inWindow(windowOf(learnt, cut), dated(after)))).toEqual([true, false]);
});

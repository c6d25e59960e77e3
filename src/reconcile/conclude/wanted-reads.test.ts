import { expect, test } from 'vitest';
import { cutRow, judge, recordOf, START_MS, TOLD_TIMES, textRow } from '../reconcile.test-support.ts';

function missing(count: number): ReturnType<typeof judge>['wanted'] {
  const rows = Array.from({ length: count }, (_, index) => textRow(String(index).padStart(2, '0')));
  return judge({ rows, sweeps: [{ records: [] }] }).wanted;
}

test('a few stragglers are read by id, in order; many by one sweep', () => {
  expect(missing(3).map((wanted) => (wanted.read === 'request' ? wanted.request_id : wanted.read))).toEqual([
    'req-00',
    'req-01',
    'req-02',
  ]);
  expect(missing(20)).toHaveLength(20);
  expect(missing(21)).toEqual([{ read: 'sweep', why: '21 calls wait for a record' }]);
});

test('a read of the id from before the sweep does not count', () => {
  const at_ms = START_MS + 1;
  const { wanted } = judge({
    rows: [textRow('a')],
    sweeps: [{ records: [] }],
    requests: [{ request_id: 'req-a', records: [], at_ms }],
  });
  expect(wanted).toHaveLength(1);
  expect(wanted[0]?.read).toBe('request');
});

test('a call whose id was never seen can only be found by a sweep', () => {
  const row = cutRow('a', { request_id: null, request_ids: [] });
  const { wanted } = judge({ rows: [row], sweeps: [{ records: [], at_ms: START_MS + 2_000 }] });
  expect(wanted).toEqual([{ read: 'sweep', why: '1 call waits for a record' }]);
});

test('past its deadline a missing record is asked for once by id, then no more', () => {
  const at_ms = START_MS + 16 * 60_000;
  const spec = { rows: [textRow('a')], sweeps: [{ records: [], at_ms }], terms: TOLD_TIMES };
  expect(judge(spec).wanted).toHaveLength(1);
  const asked = { ...spec, requests: [{ request_id: 'req-a', records: [], at_ms: at_ms + 1 }] };
  expect(judge(asked).wanted).toEqual([]);
  expect(judge(asked).gated).toBe(true);
});

test('before any sweep, a sweep', () => {
  expect(judge({ rows: [textRow('a')] }).wanted).toEqual([
    { read: 'sweep', why: 'no sweep of the usage records is complete' },
  ]);
  expect(judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a')] }] }).wanted).toEqual([]);
});

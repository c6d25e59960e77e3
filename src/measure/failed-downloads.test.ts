import { expect, test } from 'vitest';
import type { CallRow } from '../contracts/ledger-lines.ts';
import { callRow } from './ledger.test-support.ts';
import { logicalCalls } from './logical-call.ts';
import { failedDownloads } from './measure.ts';

const LOST = { kind: 'image', outcome: 'bad_response', error_type: 'download_failed' } as const;

function readOf(call: CallRow, changes: Partial<CallRow>): CallRow {
  const { logical_id, attempt } = call;
  return callRow(1, {
    kind: 'download',
    outcome: 'http_error',
    status: 403,
    logical_id,
    attempt,
    ...changes,
  });
}

test('results that could not be downloaded are counted by how their last read failed', () => {
  const [dead, gone, hopping, silent, fine] = [0, 1, 2, 3, 4].map((at) => callRow(at, LOST));
  if (!(dead && gone && hopping && silent && fine)) throw new Error('five rows');
  const ok = callRow(5, { kind: 'image' });
  const rows = [
    readOf(dead, {}),
    dead,
    readOf(gone, { outcome: 'net_error', error_type: 'dns', status: null }),
    gone,
    readOf(hopping, { status: 302 }),
    readOf(hopping, { outcome: 'ok', kind: 'result', status: 200 }),
    readOf(hopping, { status: 403 }),
    hopping,
    silent,
    readOf(ok, { outcome: 'ok', status: 200 }),
    ok,
  ];
  expect(failedDownloads(logicalCalls(rows), rows)).toEqual([
    { outcome: 'http_error', error_type: 'none', status: 403, count: 2 },
    { outcome: 'bad_response', error_type: 'download_failed', status: null, count: 1 },
    { outcome: 'net_error', error_type: 'dns', status: null, count: 1 },
  ]);
});

test('a job whose content came at a later read, and one that fell back, are none', () => {
  const job = callRow(0, { ...LOST, kind: 'image_job' });
  const sync = callRow(1, { kind: 'image', attempt: 2, logical_id: job.logical_id });
  const rows = [readOf(job, {}), job, sync];
  expect(failedDownloads(logicalCalls(rows), rows)).toEqual([]);
});

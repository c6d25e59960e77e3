import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SuspenseItem } from '../../contracts/suspense.ts';
import { keepOpening, openingOf, readOpening, storeClosing } from './suspense-file.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'suspense-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const item = (id: string, first_run: string, changes: Partial<SuspenseItem> = {}): SuspenseItem => ({
  schema: 'weighbridge.suspense/1',
  id,
  request_id: `req-${id}`,
  kind: 'chat',
  model: 'm',
  amount_lo: '0',
  amount_hi: '0.01',
  since: '2026-11-20T12:00:00.000Z',
  deadline_at: null,
  first_run,
  first_seen: null,
  last_run: first_run,
  state: 'open',
  cleared_by: null,
  ...changes,
});

const ids = (items: readonly SuspenseItem[] | null) => items?.map(({ id }) => id);

test('a list opens with what other runs of its keys left open, and what is cleared stays cleared', async () => {
  await storeClosing(dir, { run_id: 'r1', keys: ['k1'] }, [item('a', 'r1'), item('b', 'r1')]);
  await storeClosing(dir, { run_id: 'r2', keys: ['k2'] }, [item('c', 'r2')]);
  expect(ids(openingOf(dir, ['k1']))).toEqual(['a', 'b']);
  expect(ids(openingOf(dir, ['k2']))).toEqual(['c']);
  await storeClosing(dir, { run_id: 'r3', keys: ['k1'] }, [
    item('a', 'r1', { state: 'cleared', cleared_by: 'record:1', last_run: 'r3' }),
    item('b', 'r1', { last_run: 'r3' }),
    item('d', 'r3'),
  ]);
  expect(ids(openingOf(dir, ['k1']))).toEqual(['b', 'd']);
  // The first run, judged once more by what it read then, still has both open; one of them was settled since.
  await storeClosing(dir, { run_id: 'r1', keys: ['k1'] }, [item('a', 'r1'), item('b', 'r1')]);
  expect(ids(openingOf(dir, ['k1']))).toEqual(['b', 'd']);
  // Judged after a further read it has none open: its own go, those of others stay.
  await storeClosing(dir, { run_id: 'r3', keys: ['k1'] }, [item('b', 'r1')]);
  expect(ids(openingOf(dir, ['k1', 'k2']))).toEqual(['b', 'c']);
  // And once its own run has settled it, no other brings it back.
  await storeClosing(dir, { run_id: 'r1', keys: ['k1'] }, []);
  await storeClosing(dir, { run_id: 'r3', keys: ['k1'] }, [item('b', 'r1')]);
  expect(openingOf(dir, ['k1'])).toEqual([]);
});

test('the copy of a run is made once, and its judgement rests on that', () => {
  keepOpening(dir, [{ ...item('a', 'r1'), key_fp: 'k' }]);
  keepOpening(dir, []);
  expect(ids(readOpening(dir))).toEqual(['a']);
});

test('commands at the same time lose nothing', async () => {
  const runs = Array.from({ length: 12 }, (_, index) => `r${index}`);
  await Promise.all(
    runs.map((run) => storeClosing(dir, { run_id: run, keys: ['k'] }, [item(`item-${run}`, run)])),
  );
  expect(ids(openingOf(dir, ['k']))).toHaveLength(12);
});

test('the lock of a process that is gone is taken over; a damaged list is told with its line', async () => {
  writeFileSync(join(dir, 'suspense.ndjson.lock'), '999999999');
  await storeClosing(dir, { run_id: 'r1', keys: ['k'] }, [item('a', 'r1')]);
  expect(ids(openingOf(dir, ['k']))).toEqual(['a']);
  const file = join(dir, 'suspense.ndjson');
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"schema":"weighbridge.suspense/1"}\n`);
  expect(() => openingOf(dir, ['k'])).toThrow(
    expect.objectContaining({
      code: 'suspense_corrupt',
      message: expect.stringContaining(`${file}:2 is not a line of `),
    }),
  );
});

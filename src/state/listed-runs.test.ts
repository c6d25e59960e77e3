import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type ListedRun, listedRuns, listRun } from './listed-runs.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weighbridge-listed-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
});

const RUN: ListedRun = {
  run_id: 'a',
  folder: '/reports/a',
  key_fp: 'k',
  first_sent: '2026-11-20T12:00:00.000Z',
  last_end: null,
};
const END = '2026-11-20T12:05:00.000Z';

test('a run is there before it ends, and ends once', async () => {
  expect(listedRuns(dir)).toEqual([]);
  await listRun(dir, RUN);
  expect(listedRuns(dir)).toEqual([RUN]);
  // A later command has only the ledger to go by, which may tell neither key nor first call.
  const ended = { ...RUN, key_fp: null, first_sent: '2026-11-20T12:01:00.000Z', last_end: END };
  await listRun(dir, ended);
  expect(listedRuns(dir)).toEqual([{ ...RUN, last_end: END }]);
  const before = readFileSync(join(dir, 'runs.ndjson'), 'utf8');
  await listRun(dir, { ...ended, last_end: '2026-11-21T12:05:00.000Z' });
  await listRun(dir, RUN);
  expect(readFileSync(join(dir, 'runs.ndjson'), 'utf8')).toBe(before);
});

test('runs stand in the order in which they began, also those that several commands list at once', async () => {
  const runs = ['c', 'a', 'b'].map((run_id, index) => ({
    ...RUN,
    run_id,
    first_sent: `2026-11-20T12:0${9 - index}:00.000Z`,
  }));
  await Promise.all(runs.map((run) => listRun(dir, run)));
  expect(listedRuns(dir)).toEqual(runs.toReversed());
});

test('a line that a crash tore was relied on by nobody, and goes with the next', async () => {
  await listRun(dir, RUN);
  appendFileSync(join(dir, 'runs.ndjson'), '{"run_id":"b","fold');
  expect(listedRuns(dir)).toEqual([RUN]);
  const next = { ...RUN, run_id: 'c' };
  await listRun(dir, next);
  expect(listedRuns(dir)).toEqual([RUN, next]);
});

test('a file of a newer version is refused, and one that is damaged', async () => {
  const file = join(dir, 'runs.ndjson');
  writeFileSync(file, '{"schema":"weighbridge.runs/2"}\n');
  expect(() => listedRuns(dir)).toThrow(expect.objectContaining({ code: 'state_version' }));
  writeFileSync(file, '{"schema":"weighbridge.runs/1"}\n{"run_id":7}\n');
  expect(() => listedRuns(dir)).toThrow(expect.objectContaining({ code: 'state_corrupt' }));
  await expect(listRun(dir, RUN)).rejects.toMatchObject({ code: 'state_corrupt' });
});

test('a run that cannot be listed is told', async () => {
  writeFileSync(join(dir, 'file'), '');
  await expect(listRun(join(dir, 'file'), RUN)).rejects.toMatchObject({ code: 'state_unwritable' });
});

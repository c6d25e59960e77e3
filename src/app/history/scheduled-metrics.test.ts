import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ScheduledRun } from '../../contracts/scheduled-run.ts';
import { readScheduledRun, writeScheduledRun } from '../../state/scheduled-run-file.ts';
import { writeKeptRun } from './kept-run.test-support.ts';
import { noteLaterVerdict, noteScheduledRun, writeScheduledMetrics } from './note-scheduled-run.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'scheduled-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
});

const RUN: ScheduledRun = {
  run_id: 'r',
  target: 'gw "one"',
  began_at: '2027-01-31T02:00:00.000Z',
  ended_at: '2027-01-31T02:05:00.500Z',
  every_ms: 86_400_000,
  exit_status: 5,
  usd: { charged: '0.100000000001', expected: '0.1', certain_over: '0', certain_under: null },
};

function metricsOf(...runs: readonly ScheduledRun[]): string {
  for (const [index, run] of runs.entries()) {
    mkdirSync(join(dir, 'state', String(index)), { recursive: true });
    writeScheduledRun(join(dir, 'state', String(index)), run);
  }
  const file = join(dir, 'weighbridge.prom');
  writeScheduledMetrics(file, join(dir, 'state'));
  return readFileSync(file, 'utf8');
}

test('the last run of each target, exact, in text that Prometheus and OpenMetrics both read', () => {
  const text = metricsOf(RUN, { ...RUN, target: 'two', usd: { ...RUN.usd, charged: '-0.1' } });
  expect(text.split('\n').filter((line) => line.includes('"gw'))).toEqual([
    'weighbridge_scheduled_run_end_timestamp_seconds{target="gw \\"one\\""} 1801361100.5',
    'weighbridge_scheduled_run_expected_timestamp_seconds{target="gw \\"one\\""} 1801447500.5',
    'weighbridge_scheduled_run_exit_status{target="gw \\"one\\""} 5',
    'weighbridge_scheduled_run_usd{target="gw \\"one\\"",line="charged"} 0.100000000001',
    'weighbridge_scheduled_run_usd{target="gw \\"one\\"",line="expected"} 0.1',
    'weighbridge_scheduled_run_usd{target="gw \\"one\\"",line="certain_over"} 0',
  ]);
  expect(text).not.toContain('target="two",line="charged"');
  expect(text.endsWith('# EOF\n')).toBe(true);
  // No type but gauge, and no time at a sample: a textfile collector refuses both.
  expect(new Set(text.match(/^# TYPE \S+ (\S+)$/gm)?.map((line) => line.split(' ').at(-1)))).toEqual(
    new Set(['gauge']),
  );
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect({ status: checked.status, said: checked.stdout + checked.stderr }).toEqual({ status: 0, said: '' });
});

test('nothing scheduled: an empty file, so that what stood there before is gone', () => {
  expect(metricsOf()).toBe('# EOF\n');
  expect(readdirSync(dir).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a name that no collector reads, and a folder that is not there, are refused', () => {
  for (const file of [join(dir, 'weighbridge.txt'), join(dir, 'none/weighbridge.prom')])
    expect(() => writeScheduledMetrics(file, dir)).toThrow(
      expect.objectContaining({ code: 'metrics_file_unwritable', exitCode: 2 }),
    );
});

const BEGAN = Date.UTC(2027, 0, 31, 2);
const scheduled = () => ({ home: dir, target: 'gw', began_ms: BEGAN, every_ms: 86_400_000 });

test('a run that came to a verdict is kept; one that did not is missing', () => {
  const died = writeKeptRun(dir, { began_ms: BEGAN, exits: null });
  noteScheduledRun(join(dir, died), scheduled());
  expect(readScheduledRun(dir)).toBeNull();
  const ended = writeKeptRun(dir, {
    began_ms: BEGAN + 1000,
    exits: [{ code: 7, why: 'open' }],
    charged: '0.02',
  });
  noteScheduledRun(join(dir, ended), { ...scheduled(), every_ms: null });
  expect(readScheduledRun(dir)).toBeNull();
  noteScheduledRun(join(dir, ended), scheduled(), BEGAN + 60_000);
  expect(readScheduledRun(dir)).toMatchObject({
    run_id: ended,
    ended_at: '2027-01-31T02:01:00.000Z',
    every_ms: 86_400_000,
    exit_status: 7,
    usd: { charged: '0.02', certain_under: '0' },
  });
  noteScheduledRun(join(dir, died), scheduled());
  expect(readScheduledRun(dir)?.run_id).toBe(ended);
});

test('a later read of the same run gives its new verdict and leaves its time; of another run it is nothing', () => {
  const open = { began_ms: BEGAN, exits: [{ code: 7, why: 'open' }] };
  const run = writeKeptRun(dir, open);
  noteScheduledRun(join(dir, run), scheduled(), BEGAN + 60_000);
  writeKeptRun(dir, { ...open, exits: [], charged: '0.03' });
  noteLaterVerdict(join(dir, writeKeptRun(dir, { ...open, began_ms: BEGAN - 1000 })), dir);
  expect(readScheduledRun(dir)?.exit_status).toBe(7);
  noteLaterVerdict(join(dir, run), dir);
  expect(readScheduledRun(dir)).toMatchObject({
    exit_status: 0,
    ended_at: '2027-01-31T02:01:00.000Z',
    usd: { charged: '0.03' },
  });
  expect(existsSync(join(dir, 'scheduled-run.json.part'))).toBe(false);
});

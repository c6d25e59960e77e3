import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dueRuns, isDue, keepLook } from '../period/reconcile-due.ts';
import { writeKeptRun } from './kept-run.test-support.ts';
import { keptRuns } from './kept-runs.ts';

const HOUR_MS = 3_600_000;

test('a look is due at +1 h and at +25 h, each once, and after a week no more', () => {
  const due = (hours: number, ...looks: number[]) =>
    isDue(
      { planned_end_ms: 0 },
      looks.map((at) => at * HOUR_MS),
      hours * HOUR_MS,
    );
  expect([0.9, 1, 24, 25, 193, 194].map((hours) => due(hours))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
  expect([1.5, 24.9, 25].map((hours) => due(hours, 1))).toEqual([false, false, true]);
  // What the run itself read at its end, or a person before the hour, is no look of the hour.
  expect(due(1, 0.5)).toBe(true);
  expect(due(26, 1, 25)).toBe(false);
  // One that came late is the second as well.
  expect(due(40, 30)).toBe(false);
});

test('the oldest comes first, a look is kept; an embedded gateway is gone, and where there is no bill nothing is due', () => {
  const out = mkdtempSync(join(tmpdir(), 'due-'));
  onTestFinished(() => rmSync(out, { recursive: true }));
  const now = Date.UTC(2027, 0, 31, 12);
  const ago = (hours: number) => ({ began_ms: now - hours * HOUR_MS });
  const first = writeKeptRun(out, { ...ago(30), exits: null });
  const second = writeKeptRun(out, ago(2));
  writeKeptRun(out, { ...ago(3), embedded: true });
  writeKeptRun(out, { ...ago(4), bill: 'none' });
  writeKeptRun(out, ago(0.5));
  const ids = () => dueRuns(keptRuns(out), now).map(({ id }) => id);
  expect(ids()).toEqual([first, second]);
  keepLook(join(out, second), now);
  expect(ids()).toEqual([first]);
  keepLook(join(out, first), now);
  expect(ids()).toEqual([]);
});

test('a folder of which nothing can be read, and a link to one, hide no other and hold none up', () => {
  const out = mkdtempSync(join(tmpdir(), 'due-'));
  onTestFinished(() => rmSync(out, { recursive: true }));
  const now = Date.UTC(2027, 0, 31, 12);
  const whole = writeKeptRun(out, { began_ms: now - 30 * HOUR_MS });
  const torn = writeKeptRun(out, { began_ms: now - 29 * HOUR_MS, tail: '0001', exits: null });
  writeFileSync(join(out, torn, 'looks.json'), '{"schema":"weighbr');
  mkdirSync(join(out, torn, 'result.json'));
  mkdirSync(join(out, '20270130T000000Z-0002/plan.json'), { recursive: true });
  symlinkSync(join(out, whole), join(out, '20270130T000000Z-0003'));
  symlinkSync(join(out, 'nowhere'), join(out, '20270130T000000Z-0004'));
  const ids = () => dueRuns(keptRuns(out), now).map(({ id }) => id);
  expect(ids()).toEqual([whole, torn]);
  keepLook(join(out, torn), now);
  expect(ids()).toEqual([whole]);
});

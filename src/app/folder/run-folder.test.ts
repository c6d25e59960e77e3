import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findJudgedFolder, findRunFolder } from './run-folder.ts';

let out = '';
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'folders-'));
});
afterEach(() => rmSync(out, { recursive: true }));

/** A folder that was last begun so many seconds after the first one. */
function folder(name: string, part: 'calls' | 'period.json', second: number): string {
  const dir = join(out, name);
  mkdirSync(dir);
  if (part === 'calls') mkdirSync(join(dir, part));
  else writeFileSync(join(dir, part), '{}');
  writeFileSync(join(dir, 'config.yaml'), 'version: 1\n');
  const at = new Date(Date.UTC(2026, 10, 20, 10, 0, second));
  utimesSync(join(dir, 'config.yaml'), at, at);
  return dir;
}

test('the newest that can be rendered is a run, or the audit of a period that began later', () => {
  expect(() => findJudgedFolder(out, undefined)).toThrow(
    expect.objectContaining({
      code: 'run_not_found',
      exitCode: 2,
      hint: expect.stringMatching(/^Start a run with/),
    }),
  );
  const month = folder('month-2026-10-aaaaaaaa', 'period.json', 1);
  expect(findJudgedFolder(out, undefined)).toBe(month);
  expect(() => findRunFolder(out, undefined)).toThrow(expect.objectContaining({ code: 'run_not_found' }));
  folder('20261120T095959Z-0000', 'calls', 0);
  expect(findJudgedFolder(out, undefined)).toBe(month);
  const run = folder('20261120T100002Z-0000', 'calls', 2);
  expect(findJudgedFolder(out, undefined)).toBe(run);
  const ledger = folder('ledger-bbbbbbbb', 'period.json', 3);
  expect(findJudgedFolder(out, undefined)).toBe(ledger);
  expect(findRunFolder(out, undefined)).toBe(run);
  expect(findJudgedFolder(out, '20261120T095959Z-0000')).toBe(join(out, '20261120T095959Z-0000'));
});

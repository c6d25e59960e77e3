import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RanCommand } from '../../report/sections/repeat-section.ts';
import { readBuild, readCommand, writeBuild, writeCommand } from './run-files.ts';

const PLAIN: RanCommand = {
  mode: 'run',
  search: null,
  nonce: null,
  faults: null,
  readings: null,
  assumed: [],
};

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-files-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('what shaped the calls is kept, with a copy of the files that may change', () => {
  const dir = folder();
  const faults = join(dir, 'given.yaml');
  writeFileSync(faults, 'faults: []\n');
  const search = { from: 0.5, step_ms: 5000, resolution: 0.2, most_steps: 6 };
  writeCommand(dir, { ...PLAIN, search, nonce: 'n', faults });
  expect(readCommand(dir)).toEqual({ ...PLAIN, search, nonce: 'n', faults: 'faults.yaml' });
  expect(readFileSync(join(dir, 'faults.yaml'), 'utf8')).toBe('faults: []\n');
});

test('a named scenario of faults is no file', () => {
  const dir = folder();
  writeCommand(dir, { ...PLAIN, faults: 'scenario:two-429-then-success' });
  expect(readCommand(dir)?.faults).toBe('scenario:two-429-then-success');
});

test('a folder without it tells none, and one that is damaged is refused', () => {
  const dir = folder();
  expect(readCommand(dir)).toBeNull();
  writeFileSync(join(dir, 'command.json'), '{"schema":');
  expect(() => readCommand(dir)).toThrow(
    expect.objectContaining({ code: 'command_unreadable', exitCode: 2 }),
  );
});

test('a run folder tells the commit that made it, and nothing where that is not known', () => {
  const dir = folder();
  writeBuild(dir, null);
  expect(readdirSync(dir)).toEqual([]);
  expect(readBuild(dir)).toBeNull();
  writeBuild(dir, '0123456789ab-dirty');
  expect(readBuild(dir)).toBe('0123456789ab-dirty');
  writeFileSync(join(dir, 'build.json'), '{}');
  expect(() => readBuild(dir)).toThrow('is not a weighbridge.build/1 file');
});

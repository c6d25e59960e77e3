import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBuild, writeBuild } from './build-file.ts';

test('a run folder tells the commit that made it, and nothing where that is not known', () => {
  const dir = mkdtempSync(join(tmpdir(), 'wb-build-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeBuild(dir, null);
  expect(readdirSync(dir)).toEqual([]);
  expect(readBuild(dir)).toBeNull();
  writeBuild(dir, '0123456789ab-dirty');
  expect(readBuild(dir)).toBe('0123456789ab-dirty');
  writeFileSync(join(dir, 'build.json'), '{}');
  expect(() => readBuild(dir)).toThrow('expected weighbridge.build/1');
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { writeFolderFile } from './folder-file.ts';
import { replaceFile } from './replace-file.ts';

test.each([
  ['a file', (file: string) => replaceFile(file, 'new')],
  [
    'a file of a run folder',
    (file: string) =>
      writeFolderFile(file, { code: 'c', version: 'v', content: z.object({}), hint: 'h' }, {}),
  ],
])('%s that cannot be written whole is the one before, and leaves nothing beside it', (_, write) => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-replace-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'plan.json');
  writeFileSync(file, 'old');
  // As little can be written there as on a full disk.
  mkdirSync(`${file}.part`);
  expect(() => write(file)).toThrow('EISDIR');
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(dir)).toEqual(['plan.json']);
  write(file);
  expect(readFileSync(file, 'utf8')).not.toBe('old');
  expect(readdirSync(dir)).toEqual(['plan.json']);
});

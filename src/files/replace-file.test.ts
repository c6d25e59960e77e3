import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile, replaceFileAfter, replaceFileBy } from './replace-file.ts';

const WAYS: readonly [string, (file: string) => Promise<void>][] = [
  ['at once', async (file) => replaceFile(file, 'new')],
  ['piece by piece', async (file) => replaceFileBy(file, (part) => writeFileSync(part, 'new'))],
  ['awaited', (file) => replaceFileAfter(file, (part) => writeFile(part, 'new'))],
];

test.each(WAYS)(
  '%s: what cannot be written whole is the file before, and leaves nothing',
  async (_, write) => {
    const dir = scratch();
    const file = join(dir, 'plan.json');
    writeFileSync(file, 'old');
    // As little can be written there as on a full disk.
    mkdirSync(`${file}.part`);
    await expect(write(file)).rejects.toThrow('EISDIR');
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(dir)).toEqual(['plan.json']);
    await write(file);
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(dir)).toEqual(['plan.json']);
  },
);

test.each(WAYS)('%s: what stands under a name that no file can take stays, alone', async (_, write) => {
  const dir = scratch();
  mkdirSync(join(dir, 'plan.json/inside'), { recursive: true });
  await expect(write(join(dir, 'plan.json'))).rejects.toThrow();
  expect(readdirSync(dir)).toEqual(['plan.json']);
});

test('the file is for whom it was meant', () => {
  const file = join(scratch(), 'credentials.json');
  replaceFile(file, 'a secret', { mode: 0o600, flush: true });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-replace-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

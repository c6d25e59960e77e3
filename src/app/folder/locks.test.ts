import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { holdFolder } from './locks.ts';

test('one command at a time reads into the folder of a run; a second one is refused at once and told who does', async () => {
  const out = mkdtempSync(join(tmpdir(), 'hold-folder-'));
  onTestFinished(() => rmSync(out, { recursive: true }));
  const dir = join(out, 'run');
  const read: string[] = [];
  await holdFolder(dir, async () => {
    const second = holdFolder(dir, async () => read.push('second'));
    await expect(second).rejects.toMatchObject({
      code: 'run_locked',
      exitCode: 2,
      message: expect.stringContaining(`process ${process.pid} on`),
    });
    read.push('first');
  });
  await holdFolder(dir, async () => read.push('third'));
  expect(read).toEqual(['first', 'third']);
  expect(readdirSync(dir)).toEqual([]);
});

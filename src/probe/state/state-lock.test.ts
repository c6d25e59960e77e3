import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StateLock } from './state-lock.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weighbridge-lock-'));
  path = join(folder, 'x.lock');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const MODULE = JSON.stringify(new URL('./state-lock.ts', import.meta.url).href);

test('is refused to a second one, of this process too, until it is given back', async () => {
  const lock = await StateLock.take(path);
  await expect(StateLock.take(path)).rejects.toMatchObject({
    code: 'state_in_use',
    message: expect.stringContaining(String(process.pid)),
  });
  await lock.release();
  expect(readdirSync(folder)).toEqual([]);
  await (await StateLock.take(path)).release();
});

test('of another process is refused while that lives, and taken over after kill -9', async () => {
  const script = `const { StateLock } = await import(${MODULE}); await StateLock.take(${JSON.stringify(path)});
    console.log('taken'); setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await expect(StateLock.take(path)).rejects.toMatchObject({
    code: 'state_in_use',
    message: expect.stringContaining(String(child.pid)),
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(path)).toBe(true);
  const lock = await StateLock.take(path);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  await lock.release();
});

test('of a number that another process has by now is taken over', async () => {
  writeFileSync(path, JSON.stringify({ host: hostname(), pid: process.pid, started: 'before', id: 'a' }));
  await (await StateLock.take(path)).release();
});

test('of another host is refused, for nothing is known of its processes', async () => {
  writeFileSync(path, JSON.stringify({ host: 'elsewhere', pid: 1, started: null, id: 'a' }));
  await expect(StateLock.take(path)).rejects.toMatchObject({
    code: 'state_in_use',
    message: expect.stringContaining('elsewhere'),
  });
});

test('goes to one of many that start at once on the lock of a dead one', async () => {
  writeFileSync(path, JSON.stringify({ host: hostname(), pid: process.pid, started: 'before', id: 'a' }));
  const taken = await Promise.allSettled(Array.from({ length: 12 }, () => StateLock.take(path)));
  expect(taken.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
});

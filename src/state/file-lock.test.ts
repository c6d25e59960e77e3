import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileLock } from './file-lock.ts';
import { commandOf, lockHeldBy } from './lock-owner.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weighbridge-lock-'));
  path = join(folder, 'x.lock');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const MODULE = JSON.stringify(new URL('./file-lock.ts', import.meta.url).href);

const DEAD = { host: hostname(), pid: process.pid, started: 'before', id: 'a' };

function taken(command?: string): FileLock {
  const result = FileLock.take(path, command);
  if ('lock' in result) return result.lock;
  throw new Error(`held by ${result.owner.command}`);
}

test('is refused to a second one, of this process too, until it is given back', () => {
  const lock = taken('weighbridge audit');
  expect(FileLock.take(path)).toMatchObject({
    owner: { pid: process.pid, host: hostname(), command: 'weighbridge audit' },
  });
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
  taken().release();
});

test('of another process is refused while that lives, and taken over after kill -9', async () => {
  const script = `const { FileLock } = await import(${MODULE}); FileLock.take(${JSON.stringify(path)});
    console.log('taken'); setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(FileLock.take(path)).toMatchObject({ owner: { pid: child.pid } });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(path)).toBe(true);
  const lock = taken();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  lock.release();
});

test('of a number that another process has by now is taken over', () => {
  writeFileSync(path, JSON.stringify(DEAD));
  taken().release();
});

test('of another host is refused, for nothing is known of its processes', () => {
  writeFileSync(path, JSON.stringify({ host: 'elsewhere', pid: 1, started: null, id: 'a' }));
  expect(FileLock.take(path)).toMatchObject({ owner: { host: 'elsewhere' } });
});

test('of an older version, a number alone, is refused while that process lives; what is no lock is none', () => {
  writeFileSync(path, String(process.pid));
  expect(FileLock.take(path)).toMatchObject({ owner: { pid: process.pid } });
  for (const text of ['999999999', '', 'half a lo']) {
    writeFileSync(path, text);
    taken().release();
  }
});

test('one that cannot be read is never taken over: its owner may live', () => {
  symlinkSync(path, path);
  expect(() => FileLock.take(path)).toThrow('ELOOP');
  expect(readdirSync(folder)).toEqual(['x.lock']);
});

test('a link to nothing is no lock, and no reason to wait for ever', () => {
  symlinkSync(join(folder, 'nowhere'), path);
  taken().release();
  expect(readdirSync(folder)).toEqual([]);
});

test('another user reads whose it is', () => {
  const lock = taken();
  expect(statSync(path).mode & 0o044 & ~process.umask()).toBe(0o044 & ~process.umask());
  lock.release();
});

test('whoever removes a dead lock does not take that of a faster one', async () => {
  writeFileSync(path, JSON.stringify(DEAD));
  const script = `const { FileLock } = await import(${MODULE});
    process.stdin.once('data', () => {
      console.log('lock' in FileLock.take(${JSON.stringify(path)}) ? 'taken' : 'refused');
      process.stdin.once('data', () => process.exit());
    });
    console.log('ready');`;
  const racers = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  await Promise.all(racers.map(({ stdout }) => once(stdout, 'data')));
  for (const { stdin } of racers) stdin.write('go');
  const said = await Promise.all(racers.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])));
  expect(said.map((text) => text.trim()).sort()).toEqual(['refused', 'refused', 'refused', 'taken']);
  const gone = racers.map((racer) => once(racer, 'exit'));
  for (const { stdin } of racers) stdin.write('end');
  await Promise.all(gone);
});

test('a remover that was killed while it removed holds nobody up', () => {
  writeFileSync(path, JSON.stringify(DEAD));
  writeFileSync(`${path}.a.gone`, JSON.stringify({ ...DEAD, id: 'b' }));
  taken().release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock is waited for while its owner may end', async () => {
  const lock = taken();
  const waiting = FileLock.wait(path, 10_000);
  lock.release();
  expect(await waiting).toHaveProperty('lock');
});

test('the owner is told with its age, and its command without flags', () => {
  const owner = { ...DEAD, pid: 7, host: 'h', command: 'weighbridge run', since: '2027-01-15T10:00:00.000Z' };
  expect(lockHeldBy(owner, Date.UTC(2027, 0, 15, 12, 5, 9))).toBe(
    'weighbridge run (process 7 on h) holding it since 2027-01-15T10:00:00.000Z, for 2 h 5 min',
  );
  expect(commandOf(['node', '/x/main.js', 'audit', '--target', 'https://k@h'])).toBe('weighbridge audit');
  expect(commandOf(['node', '/x/child.ts', '/tmp/folder'])).toBe('child.ts');
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRevision } from './version.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wb-version-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function git(...args: readonly string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  return execFileSync('git', [...who, ...args], { cwd: dir, encoding: 'utf8' }).trim();
}

function commit(): string {
  git('init', '-q');
  writeFileSync(join(dir, 'file'), '1');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  return git('rev-parse', '--short=12', 'HEAD');
}

describe('the revision', () => {
  test('of a clone is its commit, and says when files differ from it', () => {
    mkdirSync(join(dir, 'src/cli'), { recursive: true });
    const head = commit();
    expect(readRevision(`${dir}/`)).toBe(head);
    writeFileSync(join(dir, 'file'), '2');
    expect(readRevision(`${dir}/`)).toBe(`${head}-dirty`);
  });

  test('of a package is what its build noted, also inside the repository of another project', () => {
    commit();
    const root = join(dir, 'node_modules/weighbridge/');
    mkdirSync(join(root, 'dist'), { recursive: true });
    expect(readRevision(root)).toBeNull();
    writeFileSync(join(root, 'dist/build.json'), '{"revision":"0123456789ab"}');
    expect(readRevision(root)).toBe('0123456789ab');
  });

  test('of sources without git is not known', () => {
    commit();
    const root = join(dir, 'copy/');
    mkdirSync(join(root, 'src/cli'), { recursive: true });
    expect(readRevision(root)).toBeNull();
  });
});

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyMutant } from './tree-copy.ts';

const ORIGINAL = 'one\r\ntwo\n';
let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'weighbridge-patch-'));
  mkdirSync(join(copy, 'src'));
  writeFileSync(join(copy, 'src/x.ts'), ORIGINAL);
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

function patchOf(body: string): string {
  writeFileSync(join(copy, 'm.patch'), `breaks: x\nred: x\n\n${body}`);
  return 'm.patch';
}

function applied(path: string, changed: readonly string[]): () => void {
  const restore = applyMutant(copy, { change: { path }, changed });
  if (typeof restore === 'string') throw new Error(restore);
  return restore;
}

describe('a patch', () => {
  it('is taken back to the byte, whatever was written meanwhile', () => {
    const patch = patchOf('--- a/src/x.ts\n+++ b/src/x.ts\n@@ -2 +2 @@\n-two\n+three\n');
    const restore = applied(patch, ['src/x.ts']);
    expect(readFileSync(join(copy, 'src/x.ts'), 'utf8')).toBe('one\r\nthree\n');
    writeFileSync(join(copy, 'src/x.ts'), 'a test wrote here');
    restore();
    expect(readFileSync(join(copy, 'src/x.ts'), 'utf8')).toBe(ORIGINAL);
  });

  it('that creates a file leaves none behind', () => {
    const patch = patchOf('--- /dev/null\n+++ b/src/y.ts\n@@ -0,0 +1 @@\n+new\n');
    const restore = applied(patch, []);
    expect(existsSync(join(copy, 'src/y.ts'))).toBe(true);
    restore();
    expect(existsSync(join(copy, 'src/y.ts'))).toBe(false);
  });

  it('that does not apply is told in the words of git', () => {
    const patch = patchOf('--- a/src/x.ts\n+++ b/src/x.ts\n@@ -2 +2 @@\n-four\n+three\n');
    expect(applyMutant(copy, { change: { path: patch }, changed: ['src/x.ts'] })).toContain(
      'patch does not apply',
    );
  });

  it('that cannot be taken back stops all', () => {
    const patch = patchOf('--- /dev/null\n+++ b/src/y.ts\n@@ -0,0 +1 @@\n+new\n');
    const restore = applied(patch, []);
    writeFileSync(join(copy, 'src/y.ts'), 'other\n');
    expect(restore).toThrow('cannot be taken back');
  });
});

describe('a replacement', () => {
  const of = (find: string, replace: string) =>
    applyMutant(copy, { change: { area: 'x', file: 'src/x.ts', find, replace }, changed: ['src/x.ts'] });

  it('takes the place of what it names, and is taken back to the byte', () => {
    const restore = of('two', '$& three');
    expect(readFileSync(join(copy, 'src/x.ts'), 'utf8')).toBe('one\r\n$& three\n');
    if (typeof restore === 'string') throw new Error(restore);
    restore();
    expect(readFileSync(join(copy, 'src/x.ts'), 'utf8')).toBe(ORIGINAL);
  });

  it.each([
    ['o', 2],
    ['four', 0],
  ])('of %s, which the file does not hold once, changes nothing', (find, times) => {
    expect(of(find, 'x')).toBe(`src/x.ts holds what it replaces ${times} times`);
    expect(readFileSync(join(copy, 'src/x.ts'), 'utf8')).toBe(ORIGINAL);
  });
});

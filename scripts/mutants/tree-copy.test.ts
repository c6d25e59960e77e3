import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyPatch } from './tree-copy.ts';

const ORIGINAL = 'one\r\ntwo\n';
let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'weighbridge-patch-'));
  mkdirSync(join(copy, 'src'));
  writeFileSync(join(copy, 'src/x.ts'), ORIGINAL);
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

function patchOf(body: string): string {
  const path = join(copy, 'm.patch');
  writeFileSync(path, `breaks: x\nred: vitest x\n\n${body}`);
  return path;
}

function applied(patch: string, changed: readonly string[]): () => void {
  const restore = applyPatch(copy, patch, changed);
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
    expect(applyPatch(copy, patch, ['src/x.ts'])).toContain('patch does not apply');
  });

  it('that cannot be taken back stops all', () => {
    const patch = patchOf('--- /dev/null\n+++ b/src/y.ts\n@@ -0,0 +1 @@\n+new\n');
    const restore = applied(patch, []);
    writeFileSync(join(copy, 'src/y.ts'), 'other\n');
    expect(restore).toThrow('cannot be taken back');
  });
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changedSince, mutantsOf } from './changed-mutants.ts';
import { readMutantFile } from './mutant.ts';

const FILES = {
  'src/plan/a.ts': "import { b } from './b.ts';",
  'src/plan/b.ts': "import { c } from '../core/c.ts';",
  'src/core/c.ts': '',
  'xk6/call/x.go': 'import "weighbridge.dev/xk6/ledger"',
  'xk6/ledger/y.go': '',
};
const mutants = Object.keys(FILES).flatMap((file) =>
  readMutantFile(
    'x',
    JSON.stringify({ [file]: [{ find: 'x', replace: '', breaks: 'x', red: `${file}.test` }] }),
  ),
);
let root: string;

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
function git(...args: string[]): void {
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@x', '-c', 'init.defaultBranch=main'];
  expect(spawnSync('git', [...identity, ...args], { cwd: root }).status).toBe(0);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weighbridge-changed-'));
  for (const [file, text] of Object.entries(FILES)) write(file, text);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('what changed', () => {
  it('is what the branch and the work tree have made since they left', () => {
    git('init');
    git('add', '.');
    git('commit', '-m', 'one');
    git('checkout', '-b', 'other');
    write('src/plan/a.ts', 'committed');
    git('commit', '-am', 'two');
    write('src/core/c.ts', 'not committed');
    write('src/core/d.ts', 'new');
    expect(changedSince(root, null).sort()).toEqual(['src/core/c.ts', 'src/core/d.ts', 'src/plan/a.ts']);
    expect(changedSince(root, 'HEAD').sort()).toEqual(['src/core/c.ts', 'src/core/d.ts']);
    expect(() => changedSince(root, 'nowhere')).toThrow('merge-base');
  });
});

describe('the mutants of a change', () => {
  it.each([
    ['a file', 'src/plan/a.ts', ['src/plan/a.ts']],
    ['a file that others import', 'src/core/c.ts', ['src/core/c.ts', 'src/plan/b.ts']],
    ['a package that others import', 'xk6/ledger/z.go', ['xk6/call/x.go', 'xk6/ledger/y.go']],
    ['a test', 'src/core/c.ts.test', ['src/core/c.ts']],
    ['a page', 'docs/x.md', []],
  ])('are, of %s, those of %s and what imports it', (_, changed, expected) => {
    const picked = mutantsOf(root, mutants, [changed]);
    expect(picked.flatMap((mutant) => mutant.changed).sort()).toEqual(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { readMutantFile, readPatch } from './mutant.ts';
import { quickTarget, vitestTarget } from './vitest-target.ts';

const diff = (path: string): string => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
const patch = (red: string, body = diff('src/core/x.ts')): string =>
  `breaks: something\nred: ${red}\n\n${body}`;

describe('a patch', () => {
  it('names its test and the files it changes', () => {
    const body = diff('src/core/x.ts') + diff('xk6/call/y.go');
    expect(readPatch('m.patch', patch('src/x.test.ts -t "two words"', body))).toEqual({
      name: 'm.patch',
      breaks: 'something',
      runner: 'vitest',
      args: ['src/x.test.ts', '-t', 'two words'],
      changed: ['src/core/x.ts', 'xk6/call/y.go'],
      change: { path: 'test/mutations/m.patch' },
    });
  });

  it('without its two lines is an error', () => {
    expect(() => readPatch('m.patch', diff('src/core/x.ts'))).toThrow(
      'm.patch: expected "breaks:" and "red:"',
    );
  });

  it('that creates or deletes a file names none, so that all is taken as changed', () => {
    const created = '--- /dev/null\n+++ b/src/core/x.ts\n@@ -0,0 +1 @@\n+b\n';
    expect(readPatch('m.patch', patch('src/x.test.ts', created)).changed).toEqual([]);
  });
});

describe('an entry of an area', () => {
  const entry = 'xk6/call/y.go:\n- find: a < b\n  replace: ""\n  breaks: all\n  red: go ./call -run TestX\n';

  it('says what stands where, and which test must see it go', () => {
    expect(readMutantFile('xk6', entry)).toEqual([
      {
        name: 'xk6/call/y.go: all',
        breaks: 'all',
        runner: 'go',
        args: ['./call', '-run', 'TestX'],
        changed: ['xk6/call/y.go'],
        change: { area: 'xk6', file: 'xk6/call/y.go', find: 'a < b', replace: '' },
      },
    ]);
  });

  it.each([
    ['the test beside the file where it names none', '', ['src/a/y.test.ts']],
    ['a part of that test', '  red: -t "the last"\n', ['src/a/y.test.ts', '-t', 'the last']],
    ['another test of the folder', '  red: ./z.test.ts\n', ['src/a/z.test.ts']],
    ['a test elsewhere', '  red: test/z.test.ts\n', ['test/z.test.ts']],
  ])('must be seen by %s', (_, red, args) => {
    const text = `src/a/y.ts:\n- find: a < b\n  replace: ""\n  breaks: all\n${red}`;
    expect(readMutantFile('a', text)[0]?.args).toEqual(args);
  });

  it.each([
    ['without what it breaks', entry.replace('  breaks: all\n', ''), 'breaks'],
    ['with a field of another name', `${entry}  because: why\n`, 'because'],
    ['that finds nothing', entry.replace('a < b', '""'), 'find'],
  ])('%s is an error', (_, text, what) => {
    expect(() => readMutantFile('xk6', text)).toThrow(what);
  });
});

describe('the vitest that stays', () => {
  it.each([
    ['src/x.test.ts', { file: 'src/x.test.ts', project: null, pattern: null }],
    ['src/x.test.ts -t "a b"', { file: 'src/x.test.ts', project: null, pattern: 'a b' }],
    ['--project unit src/x.test.ts', { file: 'src/x.test.ts', project: 'unit', pattern: null }],
  ])('takes %s', (red, target) => {
    expect(quickTarget(readPatch('m.patch', patch(red)))).toEqual(target);
  });

  it.each([
    ['of Go', 'go ./call -run TestX'],
    ['of two files', 'src/x.test.ts src/y.test.ts'],
    ['with another option', 'src/x.test.ts --retry 2'],
    ['of a project without a file', '--project unit'],
  ])('does not take a run %s', (_, red) => {
    expect(vitestTarget(readPatch('m.patch', patch(red)))).toBeNull();
  });

  it.each(['scripts/mutants/x.ts', 'docs/x.md', 'examples/plans/x.yaml', 'deploy/x/y.service'])(
    'takes a patch of %s',
    (path) => {
      const mutant = readPatch('m.patch', patch('src/x.test.ts', diff(path)));
      expect(quickTarget(mutant)).toEqual({ file: 'src/x.test.ts', project: null, pattern: null });
    },
  );

  it.each(['xk6/call/x.go', 'bin/setup.mjs', 'vitest.config.ts', 'package.json', 'scripts/mutants.ts'])(
    'does not take a patch of %s',
    (path) => {
      expect(quickTarget(readPatch('m.patch', patch('src/x.test.ts', diff(path))))).toBeNull();
    },
  );
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { areaOf, faultsOfMutants } from './check-mutants.ts';
import { readMutantFile } from './mutant.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weighbridge-mutants-'));
  mkdirSync(join(root, 'src/plan'), { recursive: true });
  writeFileSync(join(root, 'src/plan/x.ts'), 'one two two');
  writeFileSync(join(root, 'src/plan/x.test.ts'), '');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function faults(area: string, find: string, replace = 'three', test = 'src/plan/x.test.ts'): string[] {
  const entry = { find, replace, breaks: 'all', red: test };
  return faultsOfMutants(root, readMutantFile(area, JSON.stringify({ 'src/plan/x.ts': [entry] })));
}

it.each([
  ['plan', 'one', 'three', 'src/plan/x.test.ts', []],
  ['plan', 'two', 'three', 'src/plan/x.test.ts', ['src/plan/x.ts holds what it replaces 2 times']],
  ['plan', 'four', 'three', 'src/plan/x.test.ts', ['src/plan/x.ts holds what it replaces 0 times']],
  ['plan', 'one', 'one', 'src/plan/x.test.ts', ['it changes nothing']],
  ['probe', 'one', 'three', 'src/plan/x.test.ts', ['it belongs in test/mutations/plan.yaml']],
  ['plan', 'one', 'three', 'src/plan/y.test.ts', ['there is no src/plan/y.test.ts']],
])('of %s, %s → %s, seen by %s: %j', (area, find, replace, test, expected) => {
  expect(faults(area, find, replace, test)).toEqual(expected.map((fault) => `src/plan/x.ts: all: ${fault}`));
});

it('names two mutants that make the same change', () => {
  const entry = {
    find: 'one',
    replace: '',
    breaks: 'all',
    red: 'src/plan/x.test.ts',
  };
  expect(
    faultsOfMutants(root, readMutantFile('plan', JSON.stringify({ 'src/plan/x.ts': [entry, entry] }))),
  ).toEqual(['src/plan/x.ts: all: another one makes the same change']);
});

it.each([
  ['src/plan/x.ts', 'plan'],
  ['xk6/call/x.go', 'xk6'],
  ['bin/setup.mjs', 'bin'],
])('puts %s in %s', (file, area) => expect(areaOf(file)).toBe(area));

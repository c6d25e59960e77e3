import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { drawn, keyOf, mutantsUnder, rangeOf } from './draw-mutants.ts';
import { DrawnChecker } from './drawn-checker.ts';
import { countsOf, type Judged, PAGE, pageWith, RESULT, sampleResult, survivorsOf } from './sample-result.ts';

const ROOT = resolve(import.meta.dirname, '../..');

function treeWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'wb-mutate-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(resolve(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

test('a seed draws the same mutants again, each once, and another seed draws others', () => {
  const all = Array.from({ length: 100 }, (_, index) => index);
  const first = drawn(all, 20, 'src/pricebook', 1);
  expect(new Set(first).size).toBe(20);
  expect(drawn(all, 20, 'src/pricebook', 1)).toEqual(first);
  expect(drawn(all, 20, 'src/pricebook', 2)).not.toEqual(first);
  expect(drawn(all, 200, 'src/pricebook', 1).sort((a, b) => a - b)).toEqual(all);
});

test('a folder has the mutants of its sources, but none of its tests and of what only these use', async () => {
  const source = 'export const more = (left: number): boolean => left > 1;\n';
  const root = treeWith({
    'src/a/one.ts': source,
    'src/a/deep/two.ts': source,
    'src/a/one.test.ts': source,
    'src/a/one.test-support.ts': source,
    'src/b/three.ts': source,
  });
  const mutants = await mutantsUnder(root, 'src/a');
  expect([...new Set(mutants.map(({ file }) => file))]).toEqual(['src/a/deep/two.ts', 'src/a/one.ts']);
  const stricter = mutants.find(({ replacement }) => replacement === 'left >= 1');
  expect(stricter).toMatchObject({ mutator: 'EqualityOperator', from: { line: 1, column: 48 } });
  expect(stricter && rangeOf(stricter)).toBe('src/a/deep/two.ts:1:47-1:55');
});

test('of the mutants inside a range only those that were drawn are run', async () => {
  const place = { file: 'src/a/one.ts', mutator: 'EqualityOperator', replacement: 'left >= 1' };
  const key = keyOf({ ...place, from: { line: 1, column: 48 }, to: { line: 1, column: 56 } });
  const checker = new DrawnChecker({ root: '/tree', drawn: [key] });
  const mutant = {
    fileName: '/tree/src/a/one.ts',
    mutatorName: 'EqualityOperator',
    location: { start: { line: 0, column: 47 }, end: { line: 0, column: 55 } },
  };
  const asked = [
    { ...mutant, id: '1', replacement: 'left >= 1' },
    { ...mutant, id: '2', replacement: 'left <= 1' },
  ];
  expect(await checker.group(asked)).toEqual([['1', '2']]);
  expect(await checker.check(asked)).toMatchObject({
    '1': { status: 'passed' },
    '2': { status: 'compileError' },
  });
});

const judged = (status: string, line = 1): Judged => ({
  file: 'src/a/one.ts',
  line,
  column: 1,
  mutator: 'EqualityOperator',
  was: 'left > 1',
  now: 'left >= 1',
  status,
});

test('the score counts what was killed or ran too long, of all that could be judged', () => {
  const all = [
    'Killed',
    'Killed',
    'Timeout',
    'Survived',
    'NoCoverage',
    'NoCoverage',
    'Ignored',
    'RuntimeError',
  ];
  expect(
    countsOf(
      90,
      all.map((status) => judged(status)),
    ),
  ).toEqual({
    in_all: 90,
    mutants: 8,
    killed: 2,
    timeouts: 1,
    survived: 1,
    no_coverage: 2,
    at_load: 1,
    errors: 1,
    score: 50,
  });
  expect(countsOf(90, [judged('RuntimeError')]).score).toBeNull();
});

test('survivors are those that no test saw, reached or not, in the order of their places', () => {
  const found = survivorsOf([
    judged('NoCoverage', 9),
    judged('Killed', 3),
    judged('Survived', 5),
    judged('Timeout', 4),
  ]);
  expect(found.map(({ line, covered }) => ({ line, covered }))).toEqual([
    { line: 5, covered: true },
    { line: 9, covered: false },
  ]);
});

test('the page shows the result that stands beside it', () => {
  const result = sampleResult.parse(JSON.parse(readFileSync(join(ROOT, RESULT), 'utf8')));
  const page = readFileSync(join(ROOT, PAGE), 'utf8');
  expect(pageWith(page, result)).toBe(page);
  expect(page).toContain(`seed ${result.seed}`);
  expect(() => pageWith('# none\n', result)).toThrow('<!-- sample -->');
});

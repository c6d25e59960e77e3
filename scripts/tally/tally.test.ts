import { expect, test } from 'vitest';
import { readGoTests } from './read-go-tests.ts';
import { readVitestReport } from './read-vitest-report.ts';
import { stageLine, sumOf, tallyWords } from './tally.ts';

const go = (Action: string, Test?: string) => JSON.stringify({ Action, Package: 'xk6/ledger', Test });

test('a Go test that was skipped is counted and named; a package without tests is none', () => {
  const output = [go('pass', 'TestRows'), go('skip', 'TestFullDisk'), go('skip'), go('pass')].join('\n');
  expect(readGoTests(output, 0).tally).toEqual({
    passed: 1,
    failed: 0,
    skipped: ['xk6/ledger TestFullDisk'],
  });
});

test('a Go run that fails without a failed test has failed, and its output is told', () => {
  const broken = readGoTests('ledger/rows.go:1:1: expected package', 1);
  expect(broken.tally).toEqual({ passed: 0, failed: 1, skipped: [] });
  expect(broken.said).toContain('expected package');
});

test('what vitest left out is counted and named, also what is still to be written', () => {
  const assertionResults = ['passed', 'failed', 'skipped', 'pending', 'todo'].map((status) => ({
    status,
    fullName: `is ${status}`,
  }));
  const report = JSON.stringify({ testResults: [{ name: '/here/src/a.test.ts', assertionResults }] });
  expect(readVitestReport(report, 1, '/here')).toEqual({
    passed: 1,
    failed: 1,
    skipped: ['src/a.test.ts is skipped', 'src/a.test.ts is pending', 'src/a.test.ts is todo'],
  });
});

test('a vitest run that fails without a failed test, or leaves no report, has failed', () => {
  expect(readVitestReport('{"testResults":[]}', 1, '/here').failed).toBe(1);
  expect(readVitestReport('', 0, '/here').failed).toBe(1);
});

test('the closing line tells what was skipped, and only then', () => {
  const one = { passed: 2, failed: 0, skipped: [] };
  const other = { passed: 3, failed: 1, skipped: ['a', 'b'] };
  expect(tallyWords(sumOf([one]))).toBe('2 passed, 0 failed');
  expect(tallyWords(sumOf([one, other]))).toBe('5 passed, 1 failed, 2 skipped');
});

test('a stage of which nothing was run does not read as passed', () => {
  expect(stageLine('unit', { passed: 2, failed: 0, skipped: ['a'] })).toBe(
    'pass  unit: 2 passed, 0 failed, 1 skipped',
  );
  expect(stageLine('unit', { passed: 2, failed: 1, skipped: ['a'] })).toMatch(/^FAIL {2}unit/);
  expect(stageLine('npm audit', { passed: 0, failed: 0, skipped: ['all of it'] })).toBe(
    'not run  npm audit: 0 passed, 0 failed, 1 skipped',
  );
});

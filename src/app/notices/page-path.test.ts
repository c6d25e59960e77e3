import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { withPagePaths } from './page-path.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

test('a page is named from where the user stands', () => {
  const hint = 'docs/evidence.md shows each; see docs/decisions/0001-additions-to-the-files-of-a-run.md, too';
  expect(withPagePaths(hint, ROOT, ROOT)).toBe(hint);
  expect(withPagePaths(hint, join(ROOT, 'docs'), ROOT)).toBe(
    'evidence.md shows each; see decisions/0001-additions-to-the-files-of-a-run.md, too',
  );
  expect(withPagePaths(hint, '/elsewhere', ROOT)).toBe(
    `${ROOT}/docs/evidence.md shows each; see ${ROOT}/docs/decisions/0001-additions-to-the-files-of-a-run.md, too`,
  );
});

test('what is no page of ours stays as it is', () => {
  const said = 'no such file: docs/mine.md, /home/docs/evidence.md';
  expect(withPagePaths(said, '/elsewhere', ROOT)).toBe(said);
});

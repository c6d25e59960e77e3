import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BESIDE } from '../bench/peers/beside.ts';

const ROOT = resolve(import.meta.dirname, '..');

test('the picture of the README is of the sample report as it is: else run npm run pictures', () => {
  const sample = join(ROOT, 'reports/sample');
  const [run = ''] = readdirSync(sample);
  const report = createHash('sha256')
    .update(readFileSync(join(sample, run, 'report.html')))
    .digest('hex');
  expect(readFileSync(join(ROOT, 'docs/pictures/report.sha256'), 'utf8').trim()).toBe(report);
  const picture = readFileSync(join(ROOT, 'docs/pictures/report.png'));
  // The header of a PNG: its signature, then width and height.
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 720]);
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain('(docs/pictures/report.png)');
});

test('docs/README.md leads to every page of the folder', () => {
  const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
  const pages = readdirSync(join(ROOT, 'docs')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.filter((page) => !new RegExp(`\\]\\(${page}[)#]`).test(index))).toEqual([]);
});

test('the README compares with other tools in the words of the bench', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  for (const tool of ['k6/http', 'AIPerf', 'GuideLLM', 'Locust']) {
    const { has = '', lacks = '' } = BESIDE[tool] ?? {};
    expect(readme).toContain(`| ${tool} | ${has} | ${lacks} |`);
  }
});

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { licenceOfText } from './licence-of-text.ts';
import { npmLicences } from './npm-licences.ts';
import { refusedLicences } from './third-party.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const of = (licence: string | null) => [{ name: 'some', version: '1', licence }];

describe('a licence', () => {
  test('that is permissive is allowed, alone or as a choice', () => {
    for (const licence of ['MIT', 'BSD-3-Clause', '(MIT OR GPL-3.0)', 'MIT AND ISC'])
      expect(refusedLicences(of(licence), 'npm')).toEqual([]);
  });

  test('that binds our sources, or that nobody knows, is refused', () => {
    for (const licence of ['GPL-3.0', 'AGPL-3.0', 'MPL-2.0', 'MIT AND GPL-2.0', 'SEE LICENSE IN x', null])
      expect(refusedLicences(of(licence), 'npm')).toEqual([
        `some 1: ${licence ?? 'no licence that is known'}`,
      ]);
  });

  test('of k6 is allowed where k6 is linked, and nowhere else', () => {
    expect(refusedLicences(of('AGPL-3.0'), 'go')).toEqual([]);
    expect(refusedLicences(of('GPL-2.0'), 'go')).toHaveLength(1);
    expect(refusedLicences(of(null), 'go')).toHaveLength(1);
  });
});

test('nothing that is installed with the package is under a licence that is not allowed', () => {
  const parts = npmLicences(read('package-lock.json'));
  expect(parts.map(({ name }) => name)).toContain('undici');
  expect(parts.map(({ name }) => name)).not.toContain('vitest');
  expect(refusedLicences(parts, 'npm')).toEqual([]);
});

test('the page lists every package that is installed and every module that k6 needs', () => {
  const page = read('docs/third-party-licences.md');
  for (const { name, version, licence } of npmLicences(read('package-lock.json')))
    expect(page).toContain(`| \`${name}\` | ${version} | ${licence} |`);
  const direct = /^require \(\n([\s\S]+?)^\)/m.exec(read('xk6/go.mod'))?.[1] ?? '';
  const modules = [...direct.matchAll(/^\t(\S+) (\S+)$/gm)];
  expect(modules.length).toBeGreaterThan(0);
  for (const [, name, version] of modules) expect(page).toContain(`| \`${name}\` | ${version} |`);
});

test('the page holds the whole notice of the code that a report passes on', () => {
  expect(read('docs/third-party-licences.md')).toContain(read('node_modules/uplot/LICENSE').trimEnd());
});

test('a text is known by what only its licence says', () => {
  expect(licenceOfText(read('LICENSE'))).toBe('Apache-2.0');
  expect(licenceOfText(read('node_modules/zod/LICENSE'))).toBe('MIT');
  expect(licenceOfText('All rights reserved.')).toBeNull();
});

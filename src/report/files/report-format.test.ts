import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OUTCOMES } from '../../contracts/outcome.ts';
import { resultJsonSchema } from '../explain/explanation-schema.ts';
import { ROW_COLUMNS } from '../rows/row-columns.ts';
import { FORMATS } from './write-formats.ts';

const PAGE = readFileSync(new URL('../../../docs/report-format.md', import.meta.url), 'utf8');

it('docs/report-format.md names every field of result.json', () => {
  const fields = new Set(propertyNames(resultJsonSchema()));
  expect(fields.size).toBeGreaterThan(70);
  expect([...fields].filter((field) => !PAGE.includes(`\`${field}\``))).toEqual([]);
  expect(OUTCOMES.filter((outcome) => fields.has(outcome))).toEqual(['ok']);
});

it('names every column of the rows, and every format', () => {
  const names = [...ROW_COLUMNS.map(({ name }) => name), ...Object.values(FORMATS)];
  expect(names.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
  expect(PAGE).toContain(`--format ${Object.keys(FORMATS).toSorted().join(',')}`);
});

function* propertyNames(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') yield* Object.keys(value);
    yield* propertyNames(value);
  }
}

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { plannedCases } from './support/planned-cases.ts';

it('plans the calls of the corpus, which Go plans alike', () => {
  const path = new URL('./corpus/planned-calls.json', import.meta.url);
  const corpus: unknown = JSON.parse(readFileSync(path, 'utf8'));
  expect(JSON.parse(JSON.stringify(plannedCases()))).toEqual(corpus);
});

import { expect, test } from 'vitest';
import { dialectLines, readWorn, WORN_DIALECTS } from './worn.ts';

test('the interface is no dialect', () => {
  expect(readWorn('interface', '')).toBeNull();
});

test('a dialect has the switches that are named', () => {
  expect(readWorn('new-api', '')).toEqual({ name: 'new-api', switches: new Set() });
  expect(readWorn('new-api', 'error-rows,read-limit')?.switches).toEqual(
    new Set(['error-rows', 'read-limit']),
  );
});

test.each([
  ['new-ap', '', 'did you mean new-api?'],
  ['openrouter', '', 'expected interface, new-api or litellm'],
  ['litellm', 'error-rows', 'expected a quirk of --dialect litellm, found "error-rows"'],
  ['new-api', 'error-row', 'did you mean error-rows?'],
  ['interface', 'error-rows', 'found "error-rows"'],
])('%s with %s is refused', (name, quirks, words) => {
  expect(() => readWorn(name, quirks)).toThrow(words);
});

test('help has a line for each switch', () => {
  const switches = Object.values(WORN_DIALECTS).flatMap((of) => Object.keys(of));
  for (const [index, line] of dialectLines().entries()) expect(line).toContain(switches[index]);
  expect(dialectLines()).toHaveLength(switches.length);
});

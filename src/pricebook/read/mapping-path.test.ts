import { expect, test } from 'vitest';
import { parsePath, reach } from './mapping-path.ts';

const VALUE = { a: { b: ['x', 'y'], 'odd.key [1]': 'z' }, prices: { m: { in: '1' }, n: { in: '2' } } };

function hits(path: string): readonly string[] {
  const steps = parsePath(path);
  if (steps === null) throw new Error(path);
  return reach(VALUE, steps).map(
    ({ value, shape, keys }) => `${shape} ${keys.join('/') || '-'} ${JSON.stringify(value)}`,
  );
}

test.each<[string, string[]]>([
  ['a.b[*]', ['a.b[*] - "x"', 'a.b[*] - "y"']],
  ['a.b[1]', ['a.b[1] - "y"']],
  ['a."odd.key [1]"', ['a."odd.key [1]" - "z"']],
  ['prices.*.in', ['prices.*.in m "1"', 'prices.*.in n "2"']],
  ['prices.*.out', []],
  ['a.b.c', []],
  ['a[*]', []],
])('%s', (path, expected) => {
  expect(hits(path)).toEqual(expected);
});

test('the empty path is the value itself; a key that only the prototype has leads nowhere', () => {
  expect(reach(VALUE, parsePath('') ?? [])).toHaveLength(1);
  expect(hits('a.toString')).toEqual([]);
});

test.each(['a..b', 'a[', 'a[x]', '.a', 'a]', '"open'])('%s is no path', (path) => {
  expect(parsePath(path)).toBeNull();
});

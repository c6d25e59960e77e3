import { expect, test } from 'vitest';
import { duplicateKeys } from './adapt-book.ts';

test.each<[string, string[]]>([
  ['{"a":1,"b":{"a":2}}', []],
  ['{"a":1,"a":2}', ['a']],
  ['[{"a":1},{"a":2}]', []],
  ['{"m":{"x":1,"y":"a:b","x":[{}]}}', ['x']],
  ['{"a":["a","a"],"b":"{\\"b\\":1}"}', []],
  ['{"\\u0061":1,"b":{},"\\u0061":2}', ['a']],
])('%s', (text, twice) => {
  expect(duplicateKeys(text)).toEqual(twice);
});

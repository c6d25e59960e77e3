import { expect, test } from 'vitest';
import { asInteger, asName, asText, parseObject } from './json-fields.ts';

test('only whole numbers that every reader holds exactly are integers', () => {
  expect([0, -0, -3, 12.0, 2 ** 53 - 1].map(asInteger)).toEqual([0, 0, -3, 12, 9007199254740991]);
  for (const value of [
    1.5,
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '3',
    null,
    undefined,
    true,
    [],
    {},
  ]) {
    expect(asInteger(value)).toBeNull();
  }
});

test('lone surrogates become U+FFFD, pairs stay', () => {
  expect(asText('a\ud83d\ude9a\ud83db\ude9a')).toBe('a\ud83d\ude9a\ufffdb\ufffd');
  expect([asText(7), asText(null), asName(''), asName(7), asName('x')]).toEqual(['', '', null, null, 'x']);
});

test('only one JSON object is an object', () => {
  expect(parseObject(' {"a":1} ')).toEqual({ a: 1 });
  for (const text of ['', '{', '[]', 'null', '"x"', '{} {}', '1']) expect(parseObject(text)).toBeNull();
});

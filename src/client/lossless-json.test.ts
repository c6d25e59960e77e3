import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLosslessJson } from './lossless-json.ts';

test.each([
  ['{"a":9007199254740993}', { a: '9007199254740993' }, 1],
  ['{"a": -9007199254740993}', { a: '-9007199254740993' }, 1],
  ['[0.1234567890123456789]', ['0.1234567890123456789'], 1],
  ['[12345678.123456789]', ['12345678.123456789'], 1],
  ['[12345678.1234567]', [12345678.1234567], 0],
  ['[1e400,1]', ['1e400', 1], 1],
  ['12345678901234567890', '12345678901234567890', 1],
  ['{"a":123456789012345,"b":"12345678901234567890"}', { a: 123456789012345, b: '12345678901234567890' }, 0],
])('%s', (text, value, numbersAsText) => {
  expect(parseLosslessJson(text)).toEqual({ value, numbersAsText });
});

test('a number comes back as it is written, or as its text', () => {
  const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,20})?$/);
  fc.assert(
    fc.property(digits, (text) => {
      const { value } = parseLosslessJson(`{"n":${text}}`) as { value: { n: unknown } };
      const plain = (shown: string): string => shown.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
      if (typeof value.n === 'string') expect(value.n).toBe(text);
      else expect(plain(text)).toBe(plain(Object.is(value.n, -0) ? '-0' : decimal(Number(value.n))));
    }),
    { numRuns: 500 },
  );
});

/** Without an exponent. */
function decimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? BigInt(Math.trunc(value)).toString() : text;
}

test('what goes deeper than any record is refused, brackets in texts apart', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(parseLosslessJson(nested(200)).numbersAsText).toBe(0);
  expect(() => parseLosslessJson(`{"a":"${']'.repeat(900)}","b":${nested(900)}}`)).toThrow(SyntaxError);
  const text = `\\"${'[{'.repeat(900)}`;
  expect(parseLosslessJson(`["${text}"]`).value).toEqual([`"${'[{'.repeat(900)}`]);
});

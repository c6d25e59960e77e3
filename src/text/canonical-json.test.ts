import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { CODE_POINT } from '../core/code-point.test-support.ts';
import { canonicalJson } from './canonical-json.ts';

it('sorts keys at every depth and keeps the order of lists', () => {
  expect(canonicalJson({ b: [{ z: 1, a: null }, 2], a: 'é"\n', 10: true, 9: undefined })).toBe(
    '{"10":true,"a":"é\\"\\n","b":[{"a":null,"z":1},2]}',
  );
});

it('is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: CODE_POINT }), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('does not depend on the order in which keys were set', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.integer()), (held) => {
      const reversed = Object.fromEntries(Object.entries(held).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(held));
    }),
  );
});

it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 0, [undefined]])('refuses %s', (value) => {
  expect(() => canonicalJson({ value })).toThrow(RangeError);
});

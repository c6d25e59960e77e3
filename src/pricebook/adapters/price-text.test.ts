import { expect, test } from 'vitest';
import { product } from './price-text.ts';

test('a product is written out to its last decimal, and none has more than forty', () => {
  expect(product({ num: 1n, den: 2n ** 40n })).toBe('0.0000000000009094947017729282379150390625');
  expect(product({ num: 1n, den: 2n ** 41n })).toBeNull();
  expect(product({ num: 1n, den: 3n })).toBeNull();
});

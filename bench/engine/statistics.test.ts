import { describe, expect, test } from 'vitest';
import { quantile, slopeOf, spreadOf } from './statistics.ts';

describe('quantile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  test.each([
    [0, 1],
    [0.5, 50],
    [0.99, 99],
    [1, 100],
  ])('%d of 1 to 100 is %d', (q, expected) => expect(quantile(hundred, q)).toBe(expected));
  test('nothing has none', () => expect(quantile([], 0.5)).toBeNull());
});

describe('spreadOf', () => {
  test('an odd number of repetitions', () =>
    expect(spreadOf([3, 1, null, 2])).toEqual({ min: 1, median: 2, max: 3 }));
  test('an even number', () => expect(spreadOf([4, 1])).toEqual({ min: 1, median: 2.5, max: 4 }));
  test('no figure', () => expect(spreadOf([null])).toBeNull());
});

describe('slopeOf', () => {
  test('a line', () =>
    expect(
      slopeOf([
        [0, 5],
        [10, 25],
        [20, 45],
      ]),
    ).toBeCloseTo(2));
  test('one place has none', () => expect(slopeOf([[1, 1]])).toBeNull());
});

import { expect, it } from 'vitest';
import { timeHistogram } from './time-histogram.ts';

it('puts each value under the smallest bound that is not below it, with no bucket left out between', () => {
  expect(
    timeHistogram([
      [1.28, 2],
      [2.4, 1],
      [5.12, 3],
    ]),
  ).toEqual({
    count: 6,
    bounds_ms: [1.28, 1.522, 1.81, 2.153, 2.56, 3.044, 3.62, 4.305, 5.12],
    counts: [2, 0, 0, 0, 1, 0, 0, 0, 3],
  });
});

it('takes the load engine’s finer buckets whole: a bound of five digits is not pushed over its edge', () => {
  const fine = Array.from({ length: 64 }, (_, index) =>
    Number((0.01 * 2 ** ((index + 1) / 16)).toPrecision(5)),
  );
  const histogram = timeHistogram(fine.map((bound) => [bound, 1] as const));
  expect(histogram?.counts).toEqual(Array.from({ length: 16 }, () => 4));
});

it('has a bucket for gaps of 0, and nothing for no value', () => {
  expect(timeHistogram([[0, 7]])).toEqual({ count: 7, bounds_ms: [0.01], counts: [7] });
  expect(timeHistogram([])).toBeNull();
});

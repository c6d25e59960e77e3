import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatRate, parseRate, scaleRate } from './rate.ts';

it.each([
  ['4/s', 4_000],
  ['2.5/s', 2_500],
  ['0.005/s', 5],
  ['30/min', 500],
  ['90/h', 25],
  ['0/s', 0],
  ['4 / s', 4_000],
  ['2.50000000000000000000/s', 2_500],
  ['100000/s', 100_000_000],
])('%s is %d per 1000 s', (text, millirate) => {
  expect(parseRate(text)).toEqual({ millirate });
});

it.each([
  ['1/min', 'the nearest are 0.016/s and 0.017/s'],
  ['0.0005/s', 'the nearest is 0.001/s'],
  ['2.5', 'must be a rate'],
  ['4/sec', 'must be a rate'],
  ['-1/s', 'must be a rate'],
  ['100001/s', 'at most 100000/s'],
])('%s is refused', (text, part) => {
  expect(parseRate(text)).toEqual({ fault: expect.stringContaining(part) });
});

it('reads back what it writes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (millirate) => {
      expect(parseRate(formatRate(millirate))).toEqual({ millirate });
    }),
  );
});

it('scales exactly or not at all', () => {
  expect(scaleRate(150, '0.5')).toEqual({ millirate: 75 });
  expect(scaleRate(2_500, '3')).toEqual({ millirate: 7_500 });
  expect(scaleRate(75, '0.5')).toEqual({ fault: expect.stringContaining('0.037/s and 0.038/s') });
  expect(scaleRate(75, '0')).toHaveProperty('fault');
});

import { expect, it } from 'vitest';
import { figure, percent, percents } from './figure-text.ts';

it.each([
  [0.966667, '96.67 %'],
  [0.29, '29 %'],
  [0.99999, '99.99 %'],
  [1, '100 %'],
  [0.00001, '<0.01 %'],
  [0, '0 %'],
  [null, '–'],
])('a share of %s is %s: rounded, but never up to all of it', (share, text) => {
  expect(percent(share)).toBe(text);
});

it('parts of a whole sum to 100', () => {
  expect(percents([1 / 3, 1 / 3, 1 / 3, 0])).toEqual(['33.34 %', '33.33 %', '33.33 %', '0 %']);
  expect(percents([0.966667, 0.033333])).toEqual(['96.67 %', '3.33 %']);
  expect(percents([0.99999, 0.00001])).toEqual(['99.99 %', '<0.01 %']);
  expect(percents([1, 0])).toEqual(['100 %', '0 %']);
  expect(percents([null, null])).toEqual(['–', '–']);
});

it('a figure has the digits that say something', () => {
  expect(figure(0.10256410256410256)).toBe('0.102564');
  expect(figure(1500)).toBe('1500');
  expect(figure(null)).toBe('–');
});

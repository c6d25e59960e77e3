import { expect, it } from 'vitest';
import { figure, percent, percents, periodText, usdAbout } from './figure-text.ts';

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

it.each([
  ['15.482733333333', '$15.48', '$15.49'],
  ['0.000123456789', '$0.0001235', '$0.0001235'],
  ['0.000123412341', '$0.0001234', '$0.0001235'],
  ['9007199254740993.128', '$9007199254740993.13', '$9007199254740993.13'],
  ['0.99996', '$1', '$1'],
  ['3.5', '$3.5', '$3.5'],
  ['12', '$12', '$12'],
  ['0.30000001', '$0.3', '$0.3001'],
  ['-0.123456', '-$0.1235', '-$0.1234'],
  [null, '–', '–'],
])('%s is about %s, and never less than %s', (amount, about, atMost) => {
  expect(usdAbout(amount)).toBe(about);
  expect(usdAbout(amount, true)).toBe(atMost);
});

it('a period is told to the second', () => {
  expect(periodText({ start: '2026-11-23T01:38:20.123Z', end: '2026-12-01T00:00:00Z' })).toBe(
    '2026-11-23T01:38:20Z to 2026-12-01T00:00:00Z',
  );
});

import { expect, test } from 'vitest';
import { CATALOGUE } from '../models/catalogue.ts';
import { OWN_READINGS, type Readings } from '../readings/readings.ts';
import { priceBookOf } from './price-book.ts';
import { servedBook } from './served-book.ts';

const VERSION = { book: priceBookOf(CATALOGUE), models: CATALOGUE };

test.each([
  ['with_cache', { input_includes_cache: true, output_includes_reasoning: true }],
  ['without_cache', { input_includes_cache: false, output_includes_reasoning: true }],
  // Reads stand inside the input and writes beside it: neither answer is true.
  ['without_writes', { output_includes_reasoning: true }],
] as const)(
  'a book whose input tokens are counted %s tells of the cache what is true',
  (input_tokens, told) => {
    const readings: Readings = { ...OWN_READINGS, book_declares: true, input_tokens };
    expect(servedBook(VERSION, readings)).toHaveProperty('usage_semantics', told);
  },
);

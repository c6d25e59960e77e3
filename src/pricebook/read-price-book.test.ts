import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readPriceBook } from './read-price-book.ts';

const folder = new URL('../../test/corpus/pricebooks/', import.meta.url);
const expectations = z
  .record(z.string(), z.object({ unreadable: z.array(z.string()).optional(), book: z.unknown().optional() }))
  .parse(JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')));

describe('the corpus of price books', () => {
  test('every book has an expectation', () => {
    const books = readdirSync(folder).filter((name) => name !== 'expected.json' && name.endsWith('.json'));
    expect(books.sort()).toEqual(Object.keys(expectations).sort());
  });

  test.each(Object.entries(expectations))('%s', (name, expected) => {
    const reading = readPriceBook(readFileSync(new URL(name, folder)));
    if (expected.unreadable !== undefined) {
      expect('unreadable' in reading ? reading.unreadable : 'read').toEqual(expected.unreadable);
      return;
    }
    if ('unreadable' in reading) throw new Error(reading.unreadable.join('; '));
    const { source, ...book } = reading.book;
    expect(source.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(book).toEqual(expected.book);
  });
});

test('what the book leaves out is said to be declared by default', () => {
  const reading = readPriceBook(readFileSync(new URL('silent.json', folder)));
  if ('unreadable' in reading) throw new Error(reading.unreadable.join('; '));
  expect(reading.settings).toEqual([
    { name: 'rounding', value: 'half_up to 0.00000001 USD, once a record', evidence: 'declared by default' },
    { name: 'input_includes_cache', value: 'unknown', evidence: 'declared by default' },
    { name: 'cache_without_price', value: 'charged as plain input', evidence: 'declared by default' },
  ]);
  expect(reading.coverage).toEqual({ models_mapped: 1, unmapped_keys: ['note', 'models[0].owner'] });
});

test.each([
  ['text that is not JSON', '{'],
  ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
])('%s is unreadable, never thrown', (_, content) => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  expect(readPriceBook(bytes)).toMatchObject({ unreadable: ['expected JSON in UTF-8'] });
});

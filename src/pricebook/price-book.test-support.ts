import type { PriceBook } from '../core/price-book.ts';
import { readPriceBook } from './read-price-book.ts';

/** Reads a book document; what it leaves out is filled with plain values. */
export function readBook(document: unknown): PriceBook {
  const filled = {
    object: 'pricebook',
    pricebook_id: 'pb',
    pricing_version: 'v1',
    currency: 'USD',
    ...(typeof document === 'object' ? document : {}),
  };
  const reading = readPriceBook(new TextEncoder().encode(JSON.stringify(filled)));
  if ('unreadable' in reading) throw new Error(reading.unreadable.join('; '));
  return reading.book;
}

/** A book of one text model `m`, prices in millionths of a USD for a million tokens. */
export function textBook(prices: {
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
}): PriceBook {
  const text = (millionths: number): string =>
    `${Math.floor(millionths / 1_000_000)}.${String(millionths % 1_000_000).padStart(6, '0')}`;
  return readBook({
    models: [
      {
        id: 'm',
        kind: 'text',
        unit: 'per_1m_tokens',
        input: text(prices.input),
        output: text(prices.output),
        cache_read: text(prices.cache_read),
        cache_write: text(prices.cache_write),
      },
    ],
  });
}

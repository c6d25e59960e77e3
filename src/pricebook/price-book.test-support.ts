import {
  METERS,
  type Meter,
  type ModelPrice,
  type PriceBook,
  type PriceComponent,
} from '../contracts/price-book.ts';
import { plainBook, plainModel } from './adapters/plain-model.ts';
import { readPriceBook } from './read/read-price-book.ts';

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

/** A book `pb` `v1` in the normal form; `more` changes any field. */
export function bookOf(models: readonly ModelPrice[], more: Partial<PriceBook> = {}): PriceBook {
  const source = { kind: 'yaml', sha256: '0'.repeat(64), fetched_at: null } as const;
  return plainBook(source, models, { pricebook_id: 'pb', pricing_version: 'v1', ...more });
}

/** A text model `m` at USD for a million tokens; `more` changes any field. */
export function modelOf(
  prices: Readonly<Partial<Record<Meter, string>>>,
  more: Partial<ModelPrice> = {},
): ModelPrice {
  const components = Object.entries(prices).map(([meter, price]) => componentOf(meter, price));
  return plainModel(more.model ?? 'm', more.kind ?? 'text', components, more);
}

/** One price: tokens by the million, all else by one. */
export function componentOf(
  meter: string,
  price: string,
  more: Partial<PriceComponent> = {},
): PriceComponent {
  const known = METERS.find((each) => each === meter);
  if (known === undefined) throw new Error(`no meter ${meter}`);
  return { meter: known, price, per: known.endsWith('_token') ? '1000000' : '1', ...more };
}

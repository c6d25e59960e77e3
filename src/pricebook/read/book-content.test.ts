import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PriceBook } from '../../contracts/price-book.ts';
import { priceBookSchema } from '../../contracts/price-book.ts';
import { plainAdjustment } from '../adapters/plain-model.ts';
import { contextOf } from '../charge/charge-context.ts';
import { evaluateCharge } from '../charge/evaluate-charge.ts';
import { bookOf, componentOf, modelOf } from '../price-book.test-support.ts';
import { anyBook, anyBox } from '../random-books.test-support.ts';
import { reordered } from '../reordered.test-support.ts';
import { bookContent } from './book-content.ts';
import { readPriceBook, servedContent } from './read-price-book.ts';

const BASE = modelOf({ input_token: '1', output_token: '2' });

test('a book in another order has the same content where it costs the same, and no other one', () => {
  let same = 0;
  fc.assert(
    fc.property(anyBook, anyBox, (book, { point }) => {
      const twin = priceBookSchema.parse(reordered(book));
      const commute =
        book.adjustments.length < 2 || book.adjustments.every(({ kind }) => kind !== 'surcharge');
      if (commute) expect(bookContent(twin)).toBe(bookContent(book));
      if (bookContent(twin) !== bookContent(book)) return;
      same += 1;
      const costs = (each: PriceBook) => {
        const { lo, hi } = Object(evaluateCharge(each, point, { ...contextOf('m', 'chat'), group: 'vip' }));
        return [lo, hi];
      };
      expect(costs(twin)).toEqual(costs(book));
    }),
    { seed: 20_261_123, numRuns: 500 },
  );
  expect(same).toBeGreaterThan(200);
});

test.each(['full', 'gateway-per-token', 'gateway-ratio', 'litellm', 'new-api'])(
  '%s.json in another order is the same book, with the same version where it names none',
  (name) => {
    const file = new URL(`../../../test/corpus/pricebooks/${name}.json`, import.meta.url);
    const text = readFileSync(file, 'utf8');
    const [served, twin] = [text, JSON.stringify(reordered(JSON.parse(text)))].map((each) =>
      readPriceBook(Buffer.from(each)),
    );
    if (served === undefined || twin === undefined || 'unreadable' in twin) throw new Error('unreadable');
    expect(servedContent(twin)).toBe(servedContent(served));
    expect(twin.book.models).not.toEqual('book' in served ? served.book.models : []);
  },
);

test('the same price for other units is the same', () => {
  const thousands = { ...BASE, components: BASE.components.map((one) => ({ ...one, per: '1000000.0' })) };
  const [first, ...more] = thousands.components;
  if (first === undefined) throw new Error('no component');
  const written = { ...thousands, components: [{ ...first, price: '0.0010', per: '1000' }, ...more] };
  expect(bookContent(bookOf([written]))).toBe(bookContent(bookOf([BASE])));
});

test('every part that a charge depends on is content; limits, names and ids are not', () => {
  const content = (model = BASE, more: Partial<PriceBook> = {}): string => bookContent(bookOf([model], more));
  const least = { amount: '1', applies: 'always', zero_tokens: 'zero' } as const;
  const half = plainAdjustment('half', '0.5', { order: 1 });
  const cent = plainAdjustment('cent', '0.01', { kind: 'surcharge', order: 2 });
  const rounding = { scope: 'record', quantum: '0.01', mode: 'ceil', pre: [] } as const;
  const tiers = (above: string) => {
    const thresholds = [{ above, components: [componentOf('input_token', '3')] }];
    return { basis: 'input', mode: 'cliff', inclusive: 'gt', thresholds } as const;
  };
  const others = [
    content(),
    content(modelOf({ input_token: '1', output_token: '3' })),
    content({ ...BASE, when: { group: 'vip' } }),
    content({ ...BASE, minimum: least }),
    content({ ...BASE, tiers: tiers('1000') }),
    content({ ...BASE, tiers: tiers('2000') }),
    content(BASE, { minimum: least }),
    content(BASE, { rounding }),
    content(BASE, { adjustments: [half] }),
    content(BASE, { adjustments: [half, cent] }),
    // A cent that is halved too.
    content(BASE, { adjustments: [half, { ...cent, order: 0 }] }),
    content(BASE, { usage_semantics: { ...bookOf([BASE]).usage_semantics, input_includes_cache: 'yes' } }),
  ];
  expect(new Set(others).size).toBe(others.length);
  expect(content({ ...BASE, max_output_tokens: 9 }, { pricing_version: 'v2' })).toBe(content());
  expect(content(BASE, { adjustments: [{ ...half, name: 'h', order: 7 }] })).toBe(
    content(BASE, { adjustments: [half] }),
  );
});

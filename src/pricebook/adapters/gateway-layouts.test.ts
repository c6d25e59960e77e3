import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PriceBook } from '../../contracts/price-book.ts';
import { CATALOGUE } from '../../gateway/models/catalogue.ts';
import type { Model } from '../../gateway/models/model.ts';
import { withChange } from '../../gateway/prices/price-change.ts';
import { FIRST_EDITION, priceBookOf } from '../../gateway/pricing/price-book.ts';
import { servedBook } from '../../gateway/pricing/served-book.ts';
import { OWN_READINGS } from '../../gateway/readings/readings.ts';
import { NO_FACTS } from '../charge/charge-facts.ts';
import { evaluateCharge } from '../charge/evaluate-charge.ts';
import { readPriceBook } from '../read/read-price-book.ts';

type Layout = (typeof OWN_READINGS)['book_layout'];

function bookOf(models: readonly Model[], layout: Layout): PriceBook {
  const version = { book: priceBookOf(models, FIRST_EDITION), models };
  const served = servedBook(version, { ...OWN_READINGS, book_layout: layout });
  const reading = readPriceBook(new TextEncoder().encode(JSON.stringify(served)));
  if ('unreadable' in reading) throw new Error(reading.unreadable.join('; '));
  expect(reading.coverage).toMatchObject({
    models_mapped: models.length,
    unmapped_keys: [],
    unsupported: [],
  });
  expect(reading).toMatchObject({ partial: false, rounding_declared: true, identified: true });
  return reading.book;
}

/** All that decides a charge. Only the plain layout tells the longest answer of a model. */
function priced({ models, usage_semantics, rounding, pricing_version, valid_from }: PriceBook): object {
  return {
    models: models.map((model) => ({ ...model, max_output_tokens: null })),
    usage_semantics,
    rounding,
    pricing_version,
    valid_from,
  };
}

test('all layouts of the gateway give the same book, whatever the prices are', () => {
  const price = fc
    .tuple(fc.nat(999), fc.nat(999_999))
    .map(([usd, part]) => `${usd}.${String(part).padStart(6, '0')}`);
  const texts = CATALOGUE.filter((model) => model.kind === 'text').map(({ id }) => id);
  const changes = fc.dictionary(fc.constantFrom(...texts), fc.record({ input: price, output: price }), {
    maxKeys: 6,
  });
  fc.assert(
    fc.property(changes, (models) => {
      const changed = withChange(CATALOGUE, { models });
      const plain = priced(bookOf(changed, 'plain'));
      expect(priced(bookOf(changed, 'ratio'))).toEqual(plain);
      expect(priced(bookOf(changed, 'per_token'))).toEqual(plain);
    }),
    { numRuns: 25, seed: 6 },
  );
});

test('a factor of 0 leaves a book of prices that are 0, in every layout', () => {
  const free = withChange(CATALOGUE, { factor: '0' });
  const plain = priced(bookOf(free, 'plain'));
  expect(priced(bookOf(free, 'ratio'))).toEqual(plain);
  expect(priced(bookOf(free, 'per_token'))).toEqual(plain);
});

test.each(['plain', 'ratio', 'per_token'] as const)(
  'a video at one price is priced by the call, layout %s',
  (layout) => {
    const models = CATALOGUE.map((model) =>
      model.kind === 'video' ? { ...model, per_video: true as const } : model,
    );
    const book = bookOf(models, layout);
    const film = {
      model: 'orbit-2',
      endpoint: 'video',
      at_s: null,
      when: {},
      group: null,
      key_fp: null,
    } as const;
    const facts = { ...NO_FACTS, images: 0n, tools: {}, resolution: '1280x720' };
    const charges = [4n, 12n].map((seconds) => evaluateCharge(book, { ...facts, seconds }, film));
    const metersOf = (charge: (typeof charges)[number]) =>
      'unpriced' in charge ? [] : charge.lines.map(({ meter }) => meter);
    for (const charge of charges) {
      expect(metersOf(charge)).toContain('request');
      expect(metersOf(charge)).not.toContain('video_second');
    }
    expect(new Set(charges.map((charge) => ('unpriced' in charge ? null : charge.lo))).size).toBe(1);
  },
);

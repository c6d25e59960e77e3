import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PriceBook } from '../../contracts/price-book.ts';
import { formatAmount } from '../../core/amount.ts';
import { CATALOGUE } from '../../gateway/models/catalogue.ts';
import type { Model } from '../../gateway/models/model.ts';
import { withChange } from '../../gateway/prices/price-change.ts';
import { FIRST_EDITION, priceBookOf } from '../../gateway/pricing/price-book.ts';
import { servedBook } from '../../gateway/pricing/served-book.ts';
import { OWN_READINGS, type Readings } from '../../gateway/readings/readings.ts';
import { NO_FACTS } from '../charge/charge-facts.ts';
import { evaluateCharge } from '../charge/evaluate-charge.ts';
import { readPriceBook } from '../read/read-price-book.ts';

const A_CALL = { at_s: null, when: {}, group: null, key_fp: null } as const;

const LAYOUTS = ['plain', 'ratio', 'per_token'] as const;
type Layout = Readings['book_layout'];

function bookOf(models: readonly Model[], layout: Layout, readings: Partial<Readings> = {}): PriceBook {
  const version = { book: priceBookOf(models, FIRST_EDITION), models };
  const served = servedBook(version, { ...OWN_READINGS, ...readings, book_layout: layout });
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

test.each(LAYOUTS)('a video at one price is priced by the call, layout %s', (layout) => {
  const models = CATALOGUE.map((model) =>
    model.kind === 'video' ? { ...model, per_video: true as const } : model,
  );
  const book = bookOf(models, layout);
  const film = { ...A_CALL, model: 'orbit-2', endpoint: 'video' } as const;
  const facts = { ...NO_FACTS, images: 0n, tools: {}, resolution: '1280x720' };
  const charges = [4n, 12n].map((seconds) => evaluateCharge(book, { ...facts, seconds }, film));
  const metersOf = (charge: (typeof charges)[number]) =>
    'unpriced' in charge ? [] : charge.lines.map(({ meter }) => meter);
  for (const charge of charges) {
    expect(metersOf(charge)).toContain('request');
    expect(metersOf(charge)).not.toContain('video_second');
  }
  expect(new Set(charges.map((charge) => ('unpriced' in charge ? null : charge.lo))).size).toBe(1);
});

const AN_IMAGE = { ...NO_FACTS, images: 1n, size: '1024x1024', quality: 'low' };

test.each(LAYOUTS)('an edit costs its fee beside the image, layout %s', (layout) => {
  const book = bookOf(
    CATALOGUE.map((model) => (model.kind === 'image' ? { ...model, edit_fee: '0.005' } : model)),
    layout,
  );
  const charge = (endpoint: 'image' | 'image_edit' | 'image_edit_job'): string | null => {
    const found = evaluateCharge(book, AN_IMAGE, { ...A_CALL, model: 'lumen-image', endpoint });
    return 'unpriced' in found ? null : formatAmount(found.lo);
  };
  expect([charge('image'), charge('image_edit'), charge('image_edit_job')]).toEqual([
    '0.011',
    '0.016',
    '0.016',
  ]);
});

test.each(LAYOUTS)(
  'a book tells a factor, a least charge and the rounding of each line, layout %s',
  (layout) => {
    const told = {
      price_factor: '1.5',
      factor_told: true,
      rounding: 'each_line_8',
      least_charge: true,
    } as const;
    const book = bookOf(CATALOGUE, layout, { ...told, factor_by: 'model' });
    expect(book.rounding).toMatchObject({ scope: 'component', quantum: '0.00000001' });
    expect(book.minimum).toMatchObject({ amount: '0.00000001', zero_tokens: 'zero' });
    expect(book.adjustments).toContainEqual(expect.objectContaining({ model: 'aspen', factor: '1.5' }));
    const groups = bookOf(CATALOGUE, layout, { ...told, factor_by: 'group' }).adjustments;
    expect(groups.map(({ group, factor }) => [group, factor])).toEqual([
      ['default', '1.5'],
      ['plain', '1'],
    ]);
  },
);

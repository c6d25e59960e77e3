import { expect, test } from 'vitest';
import { plainAdjustment } from '../pricebook/adapters/plain-model.ts';
import { bookOf, componentOf, modelOf } from '../pricebook/price-book.test-support.ts';
import { priceBookSchema, priceBookSchemaWithRegex } from './price-book.ts';

const plain = modelOf({ input_token: '0.15', output_token: '0.6' });
const [input] = plain.components;

function faults(book: unknown): readonly string[] {
  const parsed = priceBookSchema.safeParse(book);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

test('a book in the normal form comes back as it is', () => {
  const book = bookOf([plain], { adjustments: [plainAdjustment('a', '0.5')] });
  expect(priceBookSchema.parse(book)).toEqual(book);
});

test.each([
  [{ ...input, price: 0.15 }, 'models.0.components.0.price: Invalid input: expected string, received number'],
  [{ ...input, price: '-1' }, 'expected a decimal of at least 0 in quotes'],
  [{ ...input, price: '1e-7' }, 'expected a decimal of at least 0 in quotes'],
  [{ ...input, price: `0.${'0'.repeat(24)}1` }, 'expected a decimal of at least 0 in quotes'],
  [{ ...input, per: '0' }, 'expected more than 0'],
  [{ ...input, size: '1024x1024' }, 'size: expected only with image, found with input_token'],
  [{ ...input, ttl: '1h' }, 'ttl: expected only with cache_write_token, found with input_token'],
  [{ ...input, prize: '1' }, 'Unrecognized key: "prize"'],
])('a component is refused with its place: %j', (component, fault) => {
  expect(faults({ ...bookOf([]), models: [{ ...plain, components: [component] }] }).join()).toContain(fault);
});

test.each([
  [{ currency: 'EUR' }, 'currency: Invalid input: expected "USD"'],
  [
    { rounding: { scope: 'record', quantum: '0', mode: 'ceil', pre: [] } },
    'rounding.quantum: expected a decimal above 0',
  ],
  [
    { rounding: { scope: 'record', quantum: '0.0000000000001', mode: 'ceil', pre: [] } },
    'rounding.quantum: expected a decimal above 0 of at most 12 decimals',
  ],
  [{ valid_from: '2026-11-01' }, 'valid_from: expected a moment in UTC'],
  [
    { valid_from: '2026-11-01T00:00:00Z', valid_to: '2026-11-01T00:00:00Z' },
    'valid_to: expected a moment after valid_from',
  ],
  [
    { adjustments: [plainAdjustment('a', '1.1', { kind: 'discount' })] },
    'adjustments.0.factor: expected a share',
  ],
  [
    { models: [{ ...plain, time_of_day: { from: '24:00', to: '08:00' } }] },
    'time_of_day.from: expected a time of day',
  ],
  [{ models: [{ ...plain, components: [] }] }, 'models.0.components: expected at least one price'],
])('a book is refused with its place: %j', (more, fault) => {
  expect(faults({ ...bookOf([plain]), ...more }).join()).toContain(fault);
});

test('thresholds stand once each', () => {
  const threshold = { above: '1000', components: [componentOf('input_token', '1')] };
  const tiers = {
    basis: 'input',
    mode: 'cliff',
    inclusive: 'gt',
    thresholds: [threshold, { ...threshold, above: '01000' }],
  };
  expect(faults({ ...bookOf([]), models: [{ ...plain, tiers }] })).toEqual([
    'models.0.tiers.thresholds: expected each threshold once',
  ]);
});

test('a regular expression over ids must be allowed, and be one', () => {
  const named = (text: string) => ({ ...bookOf([]), models: [{ ...plain, match: { kind: 'regex', text } }] });
  expect(faults(named('gpt-.*'))).toEqual(['models.0.match: regular expressions must be allowed first']);
  expect(priceBookSchemaWithRegex.safeParse(named('gpt-.*')).success).toBe(true);
  expect(priceBookSchemaWithRegex.safeParse(named('gpt-(')).success).toBe(false);
});

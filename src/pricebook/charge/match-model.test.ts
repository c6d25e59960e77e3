import { describe, expect, test } from 'vitest';
import type { Adjustment, ModelPrice, PriceBook } from '../../contracts/price-book.ts';
import { plainAdjustment } from '../adapters/plain-model.ts';
import { bookOf, modelOf } from '../price-book.test-support.ts';
import { type ChargeContext, contextOf } from './charge-context.ts';
import { NO_FACTS } from './charge-facts.ts';
import { evaluateCharge } from './evaluate-charge.ts';

/** A model that asks `usd` for a million input tokens. */
function at(usd: string, more: Partial<ModelPrice> = {}): ModelPrice {
  return modelOf({ input_token: usd, output_token: '0' }, more);
}

/** USD for a million input tokens, as `lo..hi` where it is open; or why it has no price. */
function priceIn(book: PriceBook, context: Partial<ChargeContext> = {}): string {
  const facts = { ...NO_FACTS, input: 1_000_000n, output: 0n };
  const charge = evaluateCharge(book, facts, {
    ...contextOf('m', 'chat'),
    at_s: 0,
    group: 'none',
    ...context,
  });
  if ('unpriced' in charge) return charge.why;
  const [lo, hi] = [charge.lo, charge.hi].map((amount) => String(Number(amount / 10n ** 10n) / 100));
  return lo === hi ? String(lo) : `${lo}..${hi}`;
}

describe('the entry that prices a call', () => {
  const families = bookOf([
    at('1', { model: 'm', priority: 3 }),
    at('2', { model: 'gpt', match: { kind: 'prefix', text: 'gpt-' }, priority: 1 }),
    at('3', { model: 'free', match: { kind: 'suffix', text: ':free' }, priority: 2 }),
    at('4', { model: 'any', match: { kind: 'regex', text: '[a-z]' } }),
  ]);

  test.each([
    ['m', '1'],
    ['gpt-9', '2'],
    ['gpt-9:free', '3'],
    ['x', '4'],
    ['xy', 'model'],
    ['M', 'model'],
  ])('%s: exact id, beginning, end or whole pattern, the highest priority first', (model, price) => {
    expect(priceIn(families, { model })).toBe(price);
  });

  test('two entries of one priority are ambiguous, never the first of them', () => {
    expect(priceIn(bookOf([at('1'), at('2')]))).toBe('ambiguous');
    expect(priceIn(bookOf([at('1'), at('2', { priority: 1 })]))).toBe('2');
  });

  test('an endpoint that the entry does not name, or of another kind, has no price', () => {
    const book = bookOf([at('1', { endpoints: ['messages'] }), at('2', { endpoints: ['chat', 'image'] })]);
    expect(priceIn(book)).toBe('2');
    expect(priceIn(book, { endpoint: 'messages' })).toBe('1');
    expect(priceIn(book, { endpoint: 'image' })).toBe('2');
    expect(priceIn(book, { endpoint: 'responses' })).toBe('model');
    expect(priceIn(bookOf([at('1')]), { endpoint: 'video' })).toBe('model');
  });

  test('a context must be equal in all that the entry asks; the group counts as one', () => {
    const book = bookOf([
      at('1'),
      at('2', { when: { service_tier: 'flex' }, priority: 1 }),
      at('3', { when: { service_tier: 'flex', group: 'vip' }, priority: 2 }),
    ]);
    expect(priceIn(book)).toBe('1');
    expect(priceIn(book, { when: { service_tier: 'flex' } })).toBe('2');
    expect(priceIn(book, { when: { service_tier: 'flex' }, group: 'vip' })).toBe('3');
    expect(priceIn(book, { when: { service_tier: 'Flex' } })).toBe('1');
    expect(priceIn(book, { when: { service_tier: 'flex' }, group: null })).toBe('2..3');
  });
});

describe('time', () => {
  const versions = bookOf([
    at('1', { valid_to: '1970-01-02T00:00:00Z' }),
    at('2', { valid_from: '1970-01-02T00:00:00Z', valid_to: '1970-01-03T00:00:00Z' }),
  ]);

  test.each([
    [0, '1'],
    [86_399.999, '1'],
    [86_400, '2'],
    [172_799, '2'],
    [172_800, 'model'],
    [null, '1..2'],
  ])('at %s the version in force holds, from its start until its end', (at_s, price) => {
    expect(priceIn(versions, { at_s })).toBe(price);
  });

  const nightly = bookOf([
    at('4'),
    at('1', { priority: 1, time_of_day: { from: '16:30', to: '00:30' } }),
    at('2', { priority: 2, time_of_day: { from: '08:00', to: '09:00:30' } }),
  ]);
  test.each([
    ['00:29:59', '1'],
    ['00:30:00', '4'],
    ['08:00:00', '2'],
    ['09:00:29', '2'],
    ['09:00:30', '4'],
    ['16:29:59', '4'],
    ['16:30:00', '1'],
  ])('at %s UTC of any day the price of that hour holds, past midnight too', (time, price) => {
    for (const day of ['1970-01-01', '2026-11-21']) {
      expect(priceIn(nightly, { at_s: Date.parse(`${day}T${time}Z`) / 1000 })).toBe(price);
    }
    expect(priceIn(nightly, { at_s: null })).toBe('1..4');
  });
});

describe('adjustments', () => {
  const adjusted = (...adjustments: readonly Adjustment[]): PriceBook => bookOf([at('10')], { adjustments });

  test('apply by their order, not by their place', () => {
    const plus = plainAdjustment('fee', '1', { kind: 'surcharge', order: 1 });
    const half = plainAdjustment('half', '0.5', { order: 2 });
    expect(priceIn(adjusted(half, plus))).toBe('5.5');
    expect(priceIn(adjusted({ ...half, order: 0 }, plus))).toBe('6');
  });

  test('multiply, take off a share, add a share or add an amount', () => {
    for (const [kind, price] of [
      ['multiplier', '2.5'],
      ['discount', '7.5'],
      ['markup', '12.5'],
      ['surcharge', '10.25'],
    ] as const) {
      expect(priceIn(adjusted(plainAdjustment('a', '0.25', { kind })))).toBe(price);
    }
  });

  test.each([
    [{ model: 'm' }, '5'],
    [{ model: 'other' }, '10'],
    [{ endpoint: 'chat' as const }, '5'],
    [{ endpoint: 'image' as const }, '10'],
    [{ group: 'vip' }, '5'],
    [{ group: 'basic' }, '10'],
    [{ key_fp: 'k' }, '5'],
    [{ key_fp: 'l' }, '10'],
    [{ valid_from: '1970-01-01T00:00:00Z' }, '5'],
    [{ valid_to: '1970-01-01T00:00:00Z' }, '10'],
  ])('hold where their scope does: %j', (more, price) => {
    const book = adjusted(plainAdjustment('half', '0.5', more));
    expect(priceIn(book, { group: 'vip', key_fp: 'k' })).toBe(price);
  });

  test('groups exclude each other; one that is not known leaves them all open', () => {
    const book = adjusted(
      plainAdjustment('vip', '0.5', { group: 'vip' }),
      plainAdjustment('dear', '2', { group: 'dear' }),
    );
    expect(priceIn(book, { group: null })).toBe('5..20');
    expect(priceIn(book, { group: 'dear' })).toBe('20');
  });

  test('too many unknowns are ambiguous rather than slow', () => {
    const names = Array.from({ length: 20 }, (_, index) => String(index));
    const book = adjusted(
      ...names.map((name) => plainAdjustment(name, '1', { group: name })),
      ...names.map((name) => plainAdjustment(name, '1', { key_fp: name })),
    );
    expect(priceIn(book, { group: null })).toBe('ambiguous');
  });
});

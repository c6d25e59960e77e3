import { describe, expect, test } from 'vitest';
import type { AgreedPrice } from '../../contracts/billing-terms.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { plainAdjustment } from '../adapters/plain-model.ts';
import { bookOf, modelOf } from '../price-book.test-support.ts';
import { applyAgreed } from './apply-agreed.ts';
import { contextOf } from './charge-context.ts';
import { NO_FACTS } from './charge-facts.ts';
import { evaluateCharge } from './evaluate-charge.ts';

const BOOK = bookOf([
  modelOf({ input_token: '10', output_token: '100' }, { model: 'aspen-1' }),
  modelOf(
    { input_token: '20', output_token: '200' },
    { model: 'aspen-1', when: { service_tier: 'priority' }, priority: 1 },
  ),
  modelOf({ input_token: '1', output_token: '1' }, { model: 'birch' }),
]);

function agreed(changes: Partial<AgreedPrice>): AgreedPrice {
  return {
    name: 'ours',
    models: ['aspen*'],
    endpoints: null,
    from: null,
    until: null,
    factor: null,
    prices: null,
    rounding: null,
    minimum: null,
    ...changes,
  };
}

/** What a call of 1,000 input and 100 output tokens costs. */
function charge(
  book: PriceBook,
  call: { model?: string; at?: string; endpoint?: PaidKind; tier?: string } = {},
): string | null {
  const { model = 'aspen-1', at = '2026-11-15T00:00:00Z', endpoint = 'chat', tier } = call;
  const charged = evaluateCharge(
    book,
    { ...NO_FACTS, input: 1000n, output: 100n, cache_read: 0n, cache_write: 0n, images: 0n, tools: {} },
    {
      ...contextOf(model, endpoint),
      at_s: Date.parse(at) / 1000,
      when: tier === undefined ? {} : { service_tier: tier },
    },
  );
  return 'unpriced' in charged || charged.rounded === null ? null : `${Number(charged.rounded) / 1e12}`;
}

test('a factor holds from its start until its end, for its models alone', () => {
  const book = applyAgreed(
    BOOK,
    [agreed({ factor: '0.8', from: '2026-11-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' })],
    null,
  );
  expect(charge(book)).toBe('0.016');
  expect(charge(book, { at: '2026-10-31T23:59:59Z' })).toBe('0.02');
  expect(charge(book, { at: '2026-11-01T00:00:00Z' })).toBe('0.016');
  expect(charge(book, { at: '2026-11-30T23:59:59Z' })).toBe('0.016');
  expect(charge(book, { at: '2026-12-01T00:00:00Z' })).toBe('0.02');
  expect(charge(book, { model: 'birch' })).toBe('0.0011');
});

test('a price holds from its start until its end, beside what it leaves as it is', () => {
  const book = applyAgreed(
    BOOK,
    [
      agreed({
        prices: { output: '50' },
        from: '2026-11-01T00:00:00.000Z',
        until: '2026-12-01T00:00:00.000Z',
      }),
    ],
    null,
  );
  expect(charge(book)).toBe('0.015');
  expect(charge(book, { at: '2026-10-31T23:59:59Z' })).toBe('0.02');
  expect(charge(book, { at: '2026-12-01T00:00:00Z' })).toBe('0.02');
  expect(book.source.kind).toBe('agreed');
});

test('agreements of several kinds of calls and times hold beside each other', () => {
  const book = applyAgreed(
    BOOK,
    [
      agreed({
        models: ['aspen-1'],
        endpoints: ['chat'],
        prices: { input: '1' },
        until: '2026-12-01T00:00:00.000Z',
      }),
      agreed({
        models: ['aspen-1'],
        rounding: { scope: 'record', quantum: '0.01', mode: 'ceil', pre: [] },
        from: '2026-11-10T00:00:00.000Z',
      }),
    ],
    null,
  );
  expect(charge(book, { at: '2026-11-05T00:00:00Z' })).toBe('0.011');
  expect(charge(book)).toBe('0.02');
  expect(charge(book, { endpoint: 'messages', at: '2026-11-05T00:00:00Z' })).toBe('0.02');
  expect(charge(book, { tier: 'priority', at: '2026-11-05T00:00:00Z' })).toBe('0.021');
});

test('a model that only the agreement prices has a price while it holds', () => {
  const own = agreed({
    models: ['elm'],
    prices: { input: '2', output: '3' },
    until: '2026-12-01T00:00:00.000Z',
    minimum: { amount: '0.01', applies: 'always', zero_tokens: 'zero' },
  });
  const book = applyAgreed(BOOK, [own], null);
  expect(charge(book, { model: 'elm' })).toBe('0.01');
  expect(charge(book, { model: 'elm', at: '2026-12-01T00:00:00Z' })).toBeNull();
});

describe('the group', () => {
  const book = bookOf(BOOK.models, {
    adjustments: [
      plainAdjustment('group default', '1', { group: 'default' }),
      plainAdjustment('group vip', '0.5', { group: 'vip' }),
      plainAdjustment('group staff', '0', { group: 'staff' }),
    ],
  });

  test('that is ours gives its factor, 0 too', () => {
    expect(charge(applyAgreed(book, [], 'vip'))).toBe('0.01');
    expect(charge(applyAgreed(book, [], 'staff'))).toBe('0');
  });

  test('that is not known leaves the price open', () => {
    expect(charge(applyAgreed(book, [], null))).toBeNull();
    expect(charge(applyAgreed(book, [], 'nobody'))).toBeNull();
  });
});

test('a book that nothing was agreed about stays what it is', () => {
  expect(applyAgreed(BOOK, [], null)).toBe(BOOK);
  expect(applyAgreed(BOOK, [agreed({ models: ['oak*'], factor: '0.1' })], null)).toBe(BOOK);
});

test('each of two new models is of the kind of its own price', () => {
  const book = applyAgreed(
    BOOK,
    [
      agreed({ name: 'pictures', models: ['cedar-image'], prices: { image: '0.5' } }),
      agreed({ name: 'words', models: ['cedar'], prices: { input: '10', output: '100' } }),
    ],
    null,
  );
  expect(charge(book, { model: 'cedar' })).toBe('0.02');
  const kinds = ['cedar', 'cedar-image'].map((id) => book.models.find(({ model }) => model === id)?.kind);
  expect(kinds).toEqual(['text', 'image']);
});

test('an agreed price of cache writes is that of cache writes', () => {
  const book = applyAgreed(BOOK, [agreed({ models: ['birch'], prices: { cache_write: '7' } })], null);
  expect(book.models.find(({ model }) => model === 'birch')?.components).toContainEqual({
    meter: 'cache_write_token',
    price: '7',
    per: '1000000',
  });
});

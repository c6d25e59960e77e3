import { describe, expect, test } from 'vitest';
import { plainAdjustment, plainModel } from '../adapters/plain-model.ts';
import { bookOf, componentOf, modelOf, readBook } from '../price-book.test-support.ts';
import { cheapestModels } from './cheapest-models.ts';
import { priceBounds } from './price-bounds.ts';

function text(id: string, input: string, output: string): object {
  return { id, kind: 'text', unit: 'per_1m_tokens', input, output, max_output_tokens: 1000 };
}

const book = readBook({
  rounding: { scope: 'record', quantum: '0.00000001', mode: 'floor' },
  models: [
    text('z', '0.5', '0.5'),
    text('b', '0.4', '0.6'),
    text('a', '0.6', '0.4'),
    text('unlisted', '0.1', '0.1'),
    {
      id: 'i',
      kind: 'image',
      unit: 'per_image',
      tiers: [
        { size: 's', quality: 'low', price: '0.02' },
        { size: 's', quality: 'high', price: '0.3333333333333' },
      ],
    },
  ],
  adjustments: [{ name: 'markup', factor: '1.5', model: 'i' }],
});

test('the cheapest listed model of each kind, the smallest id among equals', () => {
  expect(cheapestModels(book, ['z', 'b', 'a', 'i'])).toEqual({ text: 'a', image: 'i', video: null });
  expect(cheapestModels(book, ['i', 'b', 'z'])).toEqual({ text: 'b', image: 'i', video: null });
  expect(cheapestModels(book, [])).toEqual({ text: null, image: null, video: null });
});

test('a price of a request is none of a token: it makes no model the cheapest', () => {
  const priced = (
    model: string,
    ...more: readonly (readonly ['input_token' | 'output_token' | 'request', string])[]
  ) =>
    plainModel(
      model,
      'text',
      more.map(([meter, price]) => ({ meter, price, per: '1' })),
    );
  const listed = bookOf([
    priced('call', ['request', '0.0123']),
    priced('almost-free-call', ['request', '0.0000000001']),
    priced('both', ['input_token', '0.00000001'], ['output_token', '0.00000001'], ['request', '0.0123']),
    priced('tokens', ['input_token', '0.00000007'], ['output_token', '0.00000028']),
  ]);
  const ids = listed.models.map(({ model }) => model);
  expect(cheapestModels(listed, ids).text).toBe('tokens');
  expect(cheapestModels(listed, ['call']).text).toBeNull();
});

test('a bound takes the dearest tier left open, rounds up and adds one quantum', () => {
  expect(priceBounds(book, 'i', 'image', { images: 2, size: 's' })).toEqual({
    model: 'i',
    kind: 'image',
    per_input_token: '0',
    per_output_token: '0',
    fixed: (1_000_000_000_000n + 10_000n).toString(),
    max_output_tokens: 0,
    limit_obeyed: false,
  });
  expect(priceBounds(book, 'i', 'image', { images: 2, size: 's', quality: 'low' })?.fixed).toBe(
    '60000010000',
  );
});

test('a text bound is per token, with the output limit of the plan before that of the book', () => {
  expect(priceBounds(book, 'b', 'chat', {})).toMatchObject({
    per_input_token: '400000',
    per_output_token: '600000',
    fixed: '10000',
    max_output_tokens: 1000,
  });
  expect(priceBounds(book, 'b', 'messages', { max_output_tokens: 5 })?.max_output_tokens).toBe(5);
});

test('there is no bound where the model is not priced for the kind', () => {
  expect(priceBounds(book, 'b', 'image', {})).toBeNull();
  expect(priceBounds(book, 'i', 'video', { seconds: 4 })).toBeNull();
  expect(priceBounds(book, 'nobody', 'chat', {})).toBeNull();
  expect(priceBounds(book, 'i', 'image', { size: 'other' })).toBeNull();
});

describe('the bound is of the dearest that may hold', () => {
  const prices = { input_token: '1', output_token: '2' };
  const boundOf = (more: Parameters<typeof modelOf>[1], book: Parameters<typeof bookOf>[1] = {}) => {
    const bound = priceBounds(bookOf([modelOf(prices, more)], book), 'm', 'chat', {});
    if (bound === null) throw new Error('no bound');
    return [bound.per_input_token, bound.per_output_token, bound.fixed];
  };
  const GUARD = '10000';

  test('tier of any size', () => {
    const threshold = { above: '200000', components: [componentOf('input_token', '4')] };
    const tiers = { basis: 'context_len', mode: 'cliff', inclusive: 'gt', thresholds: [threshold] } as const;
    expect(boundOf({ tiers })).toEqual(['4000000', '2000000', GUARD]);
  });

  test('entry of any context and time', () => {
    const priority = modelOf({ input_token: '3', output_token: '1' }, { when: { service_tier: 'priority' } });
    const later = modelOf({ input_token: '1', output_token: '9' }, { valid_from: '2030-01-01T00:00:00Z' });
    const bound = priceBounds(bookOf([modelOf(prices), priority, later]), 'm', 'chat', {});
    expect(bound).toMatchObject({ per_input_token: '3000000', per_output_token: '9000000' });
  });

  test('factor of any group, with what is added to it', () => {
    const adjustments = [
      plainAdjustment('vip', '0.5', { group: 'vip' }),
      plainAdjustment('dear', '3', { group: 'dear' }),
      plainAdjustment('fee', '0.001', { kind: 'surcharge', order: 1 }),
    ];
    expect(boundOf({}, { adjustments })).toEqual(['3000000', '6000000', '1000010000']);
  });

  test('least charge, rounding of its own and steps of units', () => {
    const minimum = { amount: '0.01', applies: 'always', zero_tokens: 'minimum' } as const;
    expect(boundOf({ minimum })[2]).toBe('10000010000');
    const rounding = { scope: 'record', quantum: '0.01', mode: 'ceil', pre: [] } as const;
    expect(boundOf({ rounding })[2]).toBe('10000000000');
    const unit_rounding = { mode: 'ceil', step: '1000', at_least: '0' } as const;
    const components = [componentOf('input_token', '1'), componentOf('output_token', '2', { unit_rounding })];
    expect(boundOf({ components })[2]).toBe(String(2_000_000n * 1_000n + 10_000n));
  });

  test('reasoning beside the output is added to it, as a part it is not', () => {
    const reasoning = (mode: 'included' | 'additive') => ({
      components: [...modelOf(prices).components, componentOf('reasoning_token', '5', { mode })],
    });
    expect([boundOf(reasoning('included'))[1], boundOf(reasoning('additive'))[1]]).toEqual([
      '5000000',
      '7000000',
    ]);
  });

  test('pages have no bound, an image priced by its tokens has one', () => {
    expect(priceBounds(bookOf([modelOf({ ...prices, page: '1' })]), 'm', 'chat', {})).toBeNull();
    const image = modelOf({ image_output_token: '40' }, { kind: 'image', max_output_tokens: 5_000 });
    expect(priceBounds(bookOf([image]), 'm', 'image', {})).toMatchObject({
      per_output_token: '40000000',
      max_output_tokens: 5_000,
    });
  });
});

import { expect, test } from 'vitest';
import { cheapestModels } from './cheapest-models.ts';
import { readBook } from './price-book.test-support.ts';
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

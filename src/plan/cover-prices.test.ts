import { describe, expect, test } from 'vitest';
import { parseAmount } from '../core/amount.ts';
import { plainModel } from '../pricebook/adapters/plain-model.ts';
import { bookOf, modelOf } from '../pricebook/price-book.test-support.ts';
import { coverLines, coverPrices } from './cover-prices.ts';

const TIERED = modelOf(
  { input_token: '2', output_token: '8', cache_read_token: '0.5' },
  {
    max_output_tokens: 1000,
    tiers: {
      basis: 'context_len',
      mode: 'cliff',
      inclusive: 'gt',
      thresholds: [{ above: '5000', components: [{ meter: 'input_token', price: '4', per: '1000000' }] }],
    },
  },
);

function asked(book: Parameters<typeof coverPrices>[0], ...models: readonly string[]) {
  return coverPrices(book, models).calls.map(({ ask, usd, covers }) => `${ask} $${usd} ${covers.join(', ')}`);
}

describe('the cover', () => {
  test('of plain prices is the smallest call', () => {
    expect(asked(bookOf([modelOf({ input_token: '2', output_token: '8' })]), 'm')).toEqual([
      'a prompt of 20 tokens, an answer of 1 $0.000048 input_token, output_token',
    ]);
  });

  test('of tiers takes both sides of each edge, and a repeated prompt for the cache', () => {
    const cover = coverPrices(bookOf([TIERED]), ['m']);
    expect(cover.lines).toEqual({ covered: 6, of: 6 });
    expect(cover.not_covered).toEqual([]);
    expect(cover.calls.flatMap(({ covers }) => covers).sort()).toEqual([
      'cache_read_token',
      'context_len = 5000',
      'context_len = 5001',
      'input_token',
      'input_token at context_len > 5000',
      'output_token',
    ]);
  });

  test('leaves out calls whose lines the others go over', () => {
    const asks = coverPrices(bookOf([TIERED]), ['m']).calls.map(({ ask }) => ask);
    expect(asks).not.toContain('a prompt of 20 tokens, an answer of 1');
  });

  test('asks for each size, quality and resolution once, the cheapest call that has it', () => {
    const media = bookOf([
      plainModel('pictures', 'image', [
        { meter: 'image', price: '0.02', per: '1', quality: 'low' },
        { meter: 'image', price: '0.2', per: '1', quality: 'high', size: '512x512' },
        { meter: 'image', price: '0.3', per: '1', quality: 'hd' },
      ]),
      plainModel('films', 'video', [{ meter: 'video_second', price: '0.1', per: '1', resolution: '720p' }]),
    ]);
    const cover = coverPrices(media, ['pictures', 'films', 'pictures']);
    expect(cover.calls.map(({ model, ask }) => `${model}: ${ask}`)).toEqual([
      'films: 1 second at 1280x720',
      'pictures: 1 image of 1024x1024, quality low',
      'pictures: 1 image of 512x512, quality high',
    ]);
    expect(cover.usd).toBe('0.32');
    expect(cover.not_covered).toEqual([
      { model: 'pictures', line: 'image hd', why: 'no plan can ask for quality hd' },
    ]);
  });

  test('names what no plan can ask for, and models without a price', () => {
    const book = bookOf([
      modelOf({ input_token: '2', output_token: '8', tool_call: '1' }),
      modelOf({ input_token: '3', output_token: '9' }, { when: { service_tier: 'flex' } }),
    ]);
    expect(coverPrices(book, ['m', 'x']).not_covered).toEqual([
      { model: 'm', line: 'tool_call', why: 'no plan can ask for a tool of the target' },
      { model: 'm', line: 'input_token with service_tier flex', why: 'no plan can ask for a service_tier' },
      { model: 'm', line: 'output_token with service_tier flex', why: 'no plan can ask for a service_tier' },
      { model: 'x', line: 'all', why: 'the book has no price of this model' },
    ]);
  });

  test('costs exactly its units, and at worst what the reserves of its calls hold', () => {
    const { calls, usd, worst_case_usd: worst } = coverPrices(bookOf([TIERED]), ['m']);
    const sum = (pick: (call: (typeof calls)[number]) => string | null) =>
      calls.reduce((total, call) => total + (parseAmount(pick(call) ?? '') ?? 0n), 0n);
    expect(parseAmount(usd)).toBe(sum((call) => call.usd));
    expect(parseAmount(worst ?? '')).toBe(sum((call) => call.worst_case_usd));
    expect(
      calls.every((call) => (parseAmount(call.worst_case_usd ?? '') ?? 0n) > (parseAmount(call.usd) ?? 0n)),
    ).toBe(true);
  });
});

test.each([
  [null, 'cap: none is set; --max-spend-usd would have to hold the worst case'],
  ['100', 'cap $100: holds the worst case of all of them'],
  ['0.01', 'cap $0.01: below the worst case, so that it may keep calls from being sent'],
])('the cap %s is held against the worst case', (cap, line) => {
  expect(coverLines(coverPrices(bookOf([TIERED]), ['m']), cap)).toContain(line);
});

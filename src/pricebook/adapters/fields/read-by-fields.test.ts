import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rationalText, unitPrice } from '../../charge/charge-term.ts';
import { type ReadBook, readPriceBook } from '../../read/read-price-book.ts';

const folder = new URL('../../../../test/corpus/pricebooks/strangers/', import.meta.url);

function read(bytes: Uint8Array): ReadBook {
  const reading = readPriceBook(bytes);
  if ('unreadable' in reading) throw new Error(reading.unreadable.join('; '));
  return reading;
}

function readValue(value: unknown): ReadBook {
  return read(Buffer.from(JSON.stringify(value)));
}

/** USD for one unit, one line a price. */
function prices({ book }: ReadBook): readonly string[] {
  return book.models
    .flatMap(({ model, kind, when, valid_from, valid_to, components }) =>
      components.map((component) => {
        const { meter, size, quality, resolution } = component;
        const said = [
          ...Object.values(when),
          valid_from && `from ${valid_from}`,
          valid_to && `until ${valid_to}`,
          size,
          quality,
          resolution,
        ].filter((text) => typeof text === 'string');
        return `${[model, kind, meter, ...said].join(' ')} = ${rationalText(unitPrice(component))}`;
      }),
    )
    .sort();
}

describe('books of gateways whose writers never saw this reader', () => {
  test.each(['a', 'b', 'c', 'd', 'e'])('%s has the prices that its writer meant', (name) => {
    const golden = readFileSync(new URL(`${name}.golden.txt`, folder), 'utf8')
      .trim()
      .split('\n');
    expect(prices(read(readFileSync(new URL(`${name}.json`, folder))))).toEqual(golden);
  });

  test.each([
    ['a', false, 'component', '0.000001', 'half_up'],
    ['b', false, 'none', '0.000000000001', 'half_up'],
    ['d', false, 'record', '0.00000025', 'ceil'],
    ['e', false, 'record', '0.00000001', 'half_even'],
  ])('%s is read in full, with its rounding', (name, partial, scope, quantum, mode) => {
    const reading = read(readFileSync(new URL(`${name}.json`, folder)));
    expect(reading).toMatchObject({ partial, rounding_declared: true, coverage: { unsupported: [] } });
    expect(reading.book.rounding).toEqual({ scope, quantum, mode, pre: [] });
  });

  test('c is read in part: classes of sizes, fees of edits and factors of contracts are said to be unread', () => {
    const reading = read(readFileSync(new URL('c.json', folder)));
    expect(reading).toMatchObject({ partial: true, coverage: { unsupported: [] } });
    const figures = reading.coverage.unmapped_keys
      .filter(({ may_price }) => may_price)
      .map(({ path }) => path);
    expect(figures).toContain('pictures.*.edit_fee');
    expect(figures).toContain('pictures.*.per_picture.high.L');
    expect(figures).toContain('terms.studio.films');
  });
});

test.each<[string, unknown, readonly string[]]>([
  [
    'numbers without a unit, where one unit alone gives prices that models have',
    { currency: 'USD', models: [{ name: 'm', prompt: 0.15, completion: 12.5 }] },
    ['m text input_token = 0.00000015', 'm text output_token = 0.0000125'],
  ],
  [
    'cents for a thousand',
    [{ model: 'm', input_cents_per_1k_tokens: 0.05, output_cents_per_1k_tokens: '0.2' }],
    ['m text input_token = 0.0000005', 'm text output_token = 0.000002'],
  ],
  [
    'micro-dollars a token',
    { m: { inputMicrousdPerToken: 2, outputMicrousdPerToken: 8 } },
    ['m text input_token = 0.000002', 'm text output_token = 0.000008'],
  ],
  [
    'models below the names of their makers, dollars with their sign',
    { maker: { m: { input: '$3', output: '$15', unit: '$/MTok' } } },
    ['m text input_token = 0.000003', 'm text output_token = 0.000015'],
  ],
  [
    'by kind, by quality and size below one another',
    { images: { m: { per_image: { low: { '1024x1024': 0.02 }, high: { '1024x1024': 0.08 } } } } },
    ['m image image 1024x1024 high = 0.08', 'm image image 1024x1024 low = 0.02'],
  ],
  [
    'rows by tier and group',
    [
      { model: 'm', meter: 'input', price: 1, unit: 'USD per 1M tokens' },
      { model: 'm', meter: 'input', price: 2, unit: 'USD per 1M tokens', service_tier: 'priority' },
      { model: 'm', meter: 'input', price: 3, unit: 'USD per 1M tokens', group: 'vip' },
    ],
    [
      'm text input_token = 0.000001',
      'm text input_token priority = 0.000002',
      'm text input_token vip = 0.000003',
    ],
  ],
  [
    'a price of a request among prices of tokens',
    [
      { model: 'm', price_per_request: 0.0123 },
      { model: 'n', input_per_1m: 0.07, output_per_1m: 0.28 },
    ],
    ['m text request = 0.0123', 'n text input_token = 0.00000007', 'n text output_token = 0.00000028'],
  ],
])('%s', (_, book, expected) => {
  const reading = readValue(book);
  expect(prices(reading)).toEqual(expected);
  expect(reading).toMatchObject({ partial: false, coverage: { unsupported: [] } });
});

describe('what is not certain is no price', () => {
  test.each<[string, object, string]>([
    [
      'prices for a thousand or for a million',
      { input: 0.15 },
      'models[].input 0.15: the unit is not certain: may be for 1000 tokens or 1000000 tokens',
    ],
    [
      'a bare price',
      { price: 0.04 },
      'models[].price 0.04: the unit is not certain: no field names what it is a price of',
    ],
  ])('%s', (_, more, text) => {
    const reading = readValue({
      models: [
        { id: 'm', ...more },
        { id: 'sure', price_per_image: 1 },
      ],
    });
    expect(prices(reading)).toEqual(['sure image image = 1']);
    expect(reading.coverage.unsupported).toEqual([{ model: 'm', text }]);
  });

  test('rows that differ by a field that no rule reads leave their model without a price', () => {
    const row = { model: 'm', meter: 'video_second', unit: 'per second' };
    const reading = readValue([
      { ...row, camera: 'fixed', price: 0.1 },
      { ...row, camera: 'free', price: 0.2 },
      { ...row, model: 'sure', price: 0.3 },
    ]);
    expect(prices(reading)).toEqual(['sure video video_second = 0.3']);
    expect(reading.coverage.unsupported).toEqual([
      { model: 'm', text: 'several prices for one use, told apart by camera' },
    ]);
  });

  test('a price of a request is none of its tokens, whatever its key is called', () => {
    const reading = readValue([
      { model: 'm', input: 0.0123, unit: 'request' },
      { model: 'sure', price_per_image: 1 },
    ]);
    expect(prices(reading)).toEqual(['sure image image = 1']);
    expect(reading.coverage.unmapped_keys).toEqual([{ path: '[].input', may_price: true, models: 1 }]);
  });

  test('two units that contradict each other', () => {
    const reading = readValue([
      { model: 'm', unit: 'USD per 1M tokens', input_per_1k: 2 },
      { model: 'sure', price_per_image: 1 },
    ]);
    expect(prices(reading)).toEqual(['sure image image = 1']);
    expect(reading.partial).toBe(true);
  });

  test('a rounding whose scope is not understood stays unread', () => {
    const rounding = { decimals: 6, mode: 'half_up', applied: 'once, after each line' };
    const reading = readValue({ rounding, models: [{ id: 'm', price_per_image: 1 }] });
    expect(reading).toMatchObject({ rounding_declared: false, partial: true });
  });

  test('money that is not USD is refused', () => {
    const bytes = Buffer.from(JSON.stringify({ currency: 'EUR', models: [{ id: 'm', input_per_token: 1 }] }));
    expect(readPriceBook(bytes)).toMatchObject({ unreadable: ['currency: expected USD, found "EUR"'] });
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bookLines } from '../book-lines.test-support.ts';
import { readMapping } from './mapping-file.ts';
import { type BookReading, readPriceBook } from './read-price-book.ts';

const folder = new URL('../../../test/corpus/pricebooks/', import.meta.url);
const samples = readdirSync(folder).filter((name) => !/\.txt$|\.mapping\.yaml$|^strangers$/.test(name));

function read(name: string): BookReading {
  const mapping = new URL(name.replace(/\.\w+$/, '.mapping.yaml'), folder);
  return readPriceBook(readFileSync(new URL(name, folder)), {
    mapping: existsSync(mapping) ? readMapping(readFileSync(mapping, 'utf8'), 'mapping.yaml') : null,
  });
}

describe('the corpus of price books', () => {
  test('holds a sample of every layout', () => {
    const adapters = new Set(samples.map((name) => read(name).coverage.adapter ?? 'none'));
    expect([...adapters].sort()).toEqual([
      'csv',
      'gateway per token',
      'gateway plain',
      'gateway ratio',
      'genai-prices',
      'litellm',
      'mapping',
      'new-api',
      'none',
      'normal form',
      'openrouter',
      'yaml',
    ]);
  });

  test.each(samples)('%s gives the lines of its .txt', async (name) => {
    await expect(bookLines(read(name))).toMatchFileSnapshot(`${folder.pathname}${name}.txt`);
  });
});

test('what a silent book leaves out is said, and its rounding is nobody’s', () => {
  const reading = read('silent.json');
  if ('unreadable' in reading) throw new Error(reading.unreadable.join('; '));
  expect(reading.rounding_declared).toBe(false);
  expect(reading.settings).toEqual([
    { name: 'rounding', value: 'undeclared', evidence: 'not told by the book' },
    { name: 'input_includes_cache', value: 'unknown', evidence: 'declared by default' },
    { name: 'cache_without_price', value: 'charged as plain input', evidence: 'declared by default' },
  ]);
});

test('a list by hand may round each part of a charge; without a word on that, either may be', () => {
  const roundingOf = (rounding: string) => {
    const list = `pricebook: mine\nversion: a\nrounding: ${rounding}\nmodels: [{ model: m, input: 1, output: 2 }]\n`;
    const reading = readPriceBook(new TextEncoder().encode(list));
    return 'unreadable' in reading ? reading.unreadable : reading.book.rounding;
  };
  const rule = { quantum: '0.000001', mode: 'half_up', pre: [] };
  expect(roundingOf('{ quantum: 0.000001, mode: half_up, scope: component }')).toEqual({
    ...rule,
    scope: 'component',
  });
  expect(roundingOf('{ quantum: 0.000001, mode: half_up }')).toEqual({ ...rule, scope: 'untold' });
  const ofCsv = (scope: string) => {
    const lines = `model,input,output,rounding_quantum,rounding_mode,rounding_scope\nm,1,2,0.000001,half_up,${scope}\n`;
    const reading = readPriceBook(new TextEncoder().encode(lines));
    return 'unreadable' in reading ? reading.unreadable.join() : reading.book.rounding.scope;
  };
  expect(['component', 'record', ''].map(ofCsv)).toEqual(['component', 'record', 'untold']);
  expect(ofCsv('token')).toContain('(rounding_scope): expected record or component, found "token"');
});

test('a named adapter is the only one that is tried', () => {
  const bytes = readFileSync(new URL('litellm.json', folder));
  expect(readPriceBook(bytes, { adapter: 'new-api' })).toMatchObject({
    unreadable: ['no adapter knows this layout (tried new-api): a mapping file reads any'],
  });
  expect(readPriceBook(bytes, { adapter: 'litellm' }).coverage.models_mapped).toBe(5);
});

test('a mapping that cannot be read is refused with line, column and rule', () => {
  const text = readFileSync(new URL('bad.mapping.yaml', folder), 'utf8');
  expect(() => readMapping(text, 'bad.mapping.yaml')).toThrow(
    expect.objectContaining({
      code: 'mapping_invalid',
      exitCode: 2,
      message: [
        'bad.mapping.yaml: line 2, column 7: each: expected a path such as a.b, a[*].c or prices.*',
        'bad.mapping.yaml: line 5, column 29: fields.input.per: expected a decimal number above 0',
        'bad.mapping.yaml: line 4, column 3: fields: expected one of model, kind, input, output, cache_read, cache_write, reasoning, request, image, video_second, max_output_tokens, meter, price, size, quality, resolution, seconds, service_tier, group, valid_from, valid_to, hours_from, hours_to, above, up_to, found colour',
      ].join('\n'),
    }),
  );
});

test('a list of the new-api family is meant by its unit of quota, the usual one where it tells none', () => {
  const entry = { model_name: 'm', quota_type: 0, model_ratio: 0.5, completion_ratio: 4 };
  const priced = (more: object) => {
    const reading = readPriceBook(new TextEncoder().encode(JSON.stringify({ data: [entry], ...more })));
    if ('unreadable' in reading) throw new Error(reading.unreadable.join());
    const prices = reading.book.models.flatMap(({ components }) => components);
    return prices.map(({ meter, price, per }) => [meter, price, per]);
  };
  expect(priced({})).toEqual([
    ['input_token', '1', '1000000'],
    ['output_token', '4', '1000000'],
  ]);
  expect(priced({ quota_per_unit: 1_000_000 })).toEqual([
    ['input_token', '0.5', '1000000'],
    ['output_token', '2', '1000000'],
  ]);
  const unitOf = (more: object) => {
    const reading = readPriceBook(new TextEncoder().encode(JSON.stringify({ data: [entry], ...more })));
    return 'unreadable' in reading ? reading.unreadable : [reading.rounding_unit, reading.settings[0]?.value];
  };
  expect(unitOf({})).toEqual([null, 'undeclared']);
  expect(unitOf({ quota_per_unit: 1_000_000 })).toEqual(['0.000001', 'to multiples of 0.000001 USD']);
  expect(unitOf({ quota_per_unit: 8_192 })).toEqual([null, 'undeclared']);
});

test('a list of the new-api family may price sizes of images and seconds of resolutions', () => {
  const entry = { quota_type: 1, model_price: 0.042 };
  const data = [
    {
      ...{ ...entry, model_name: 'image', supported_endpoint_types: ['image-generation'] },
      grid_pricing: [
        { Size: '1024x1024', Quality: 'low', Pricing: 0.011, PricingSuffix: '/image' },
        { Size: '1024x1024', Quality: 'high', Pricing: 0.167, PricingSuffix: '/image' },
      ],
    },
    {
      ...{ ...entry, model_name: 'video', supported_endpoint_types: ['openai-video'] },
      grid_pricing: [{ Resolution: '1280x720', Pricing: 0.1, PricingSuffix: '/second' }],
    },
    {
      ...{ ...entry, model_name: 'other', supported_endpoint_types: ['openai-video'] },
      grid_pricing: [{ Pricing: 0.1, PricingSuffix: '/wink' }],
    },
  ];
  const reading = readPriceBook(new TextEncoder().encode(JSON.stringify({ data })));
  if ('unreadable' in reading) throw new Error(reading.unreadable.join());
  expect(reading.book.models.map(({ model, components }) => [model, components])).toEqual([
    [
      'image',
      [
        { meter: 'image', price: '0.011', per: '1', size: '1024x1024', quality: 'low' },
        { meter: 'image', price: '0.167', per: '1', size: '1024x1024', quality: 'high' },
      ],
    ],
    ['video', [{ meter: 'video_second', price: '0.1', per: '1', resolution: '1280x720' }]],
    // A unit that nobody knows prices nothing.
    ['other', [{ meter: 'video_second', price: '0.042', per: '1' }]],
  ]);
  expect(reading.coverage.unsupported.map(({ model }) => model)).toEqual(['other']);
});

test.each([
  ['text that is not JSON', '{'],
  ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
])('%s is unreadable, never thrown', (_, content) => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  expect(readPriceBook(bytes)).toMatchObject({ unreadable: ['expected JSON in UTF-8'] });
});

describe('a book that a target made to hold us up', () => {
  const nested = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  test.each([
    ['nested JSON', nested, 'expected JSON in UTF-8'],
    ['long YAML', `a: ${'b '.repeat(520_000)}`, 'expected at most 1000000 characters, found 1040003'],
    [
      'long CSV',
      `model,input\n${'b,1\n'.repeat(260_000)}`,
      'expected at most 1000000 characters, found 1040012',
    ],
    ['nested YAML', `a: ${'['.repeat(3_000)}`, 'line 1, column 203: expected at most 200 levels, found more'],
    ['long JSON', `[${' '.repeat(16_000_000)}]`, 'expected at most 16000000 characters, found 16000002'],
  ])('%s is refused before it is parsed', (_, text, problem) => {
    const before = process.cpuUsage();
    expect(readPriceBook(Buffer.from(text))).toMatchObject({ unreadable: [problem] });
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });
});

test('a book that prices every cache read does not say what one without a price costs', () => {
  const settings = (more: Readonly<Record<string, string>>): readonly string[] => {
    const models = [{ id: 'm', kind: 'text', unit: 'per_1m_tokens', input: '2', output: '8', ...more }];
    const document = {
      object: 'pricebook',
      pricebook_id: 'pb',
      pricing_version: 'v1',
      currency: 'USD',
      models,
    };
    const reading = readPriceBook(new TextEncoder().encode(JSON.stringify(document)));
    return 'unreadable' in reading ? reading.unreadable : reading.settings.map(({ name }) => name);
  };
  expect(settings({})).toContain('cache_without_price');
  expect(settings({ cache_read: '0.5' })).not.toContain('cache_without_price');
});

test.each<[string, unknown, readonly string[]]>([
  [
    'gateway plain',
    { object: 'pricebook', pricebook_id: 'p', models: [{ id: 'm', kind: 'text', unit: 'per_1m_tokens' }] },
    ['pricing_version: expected this key, found none', 'models.0.input: expected this key, found none'],
  ],
  [
    'gateway ratio',
    { base_usd_per_million_tokens: '2', currency: 'EUR', data: [{ quota_type: '7' }] },
    ['currency: expected USD, found "EUR"', 'data.0.quota_type: expected another value'],
  ],
  [
    'new-api',
    { data: [{ model_name: 'x', quota_type: 'a', model_ratio: {} }] },
    [
      'data.0.quota_type: expected one of 0, 1, found "a"',
      'data.0.model_ratio: expected text, found a mapping',
    ],
  ],
  [
    'litellm',
    { a: { litellm_provider: 'x', input_cost_per_token: 'cheap' } },
    ['a.input_cost_per_token: expected a decimal number of at least 0'],
  ],
])('what stands in the way of %s is said in plain words: each with its place', (adapter, book, said) => {
  const reading = readPriceBook(new TextEncoder().encode(JSON.stringify(book)));
  const reasons = 'unreadable' in reading ? reading.unreadable : [];
  expect(reading.coverage.adapter).toBe(adapter);
  expect(reasons).toEqual(expect.arrayContaining([...said]));
  expect(reasons.join()).not.toMatch(/Invalid|received|Unrecognized/);
});

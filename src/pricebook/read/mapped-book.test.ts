import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rationalText, unitPrice } from '../charge/charge-term.ts';
import { readMapping } from './mapping-file.ts';
import { type ReadBook, readPriceBook } from './read-price-book.ts';

const strangers = new URL('../../../test/corpus/pricebooks/strangers/', import.meta.url);

function read(book: string | Uint8Array, mapping: string): ReadBook {
  const text = mapping.startsWith('schema') ? mapping : `schema: weighbridge.mapping/1\n${mapping}`;
  const reading = readPriceBook(typeof book === 'string' ? Buffer.from(book) : book, {
    mapping: readMapping(text, 'm.yaml'),
  });
  if ('unreadable' in reading) throw new Error(reading.unreadable.join('; '));
  return reading;
}

function readRows(rows: unknown, mapping: string): ReadBook {
  return read(JSON.stringify(rows), mapping);
}

/** USD for one unit, one line a price. */
function prices({ book }: ReadBook): readonly string[] {
  return book.models.flatMap(({ model, when, time_of_day, valid_from, endpoints, components, tiers }) =>
    [{ above: '', components }, ...(tiers?.thresholds ?? [])].flatMap(({ above, components: held }) =>
      held.map((component) => {
        const { meter, size, quality, resolution } = component;
        const said = [
          ...Object.values(when),
          time_of_day === null ? null : `${time_of_day.from}-${time_of_day.to}`,
          valid_from,
          endpoints?.join('+'),
          above === '' ? null : `above ${above}`,
          size,
          quality,
          resolution,
        ].filter((text) => typeof text === 'string');
        return `${[model, meter, ...said].join(' ')} = ${rationalText(unitPrice(component))}`;
      }),
    ),
  );
}

describe('the list of c, by a mapping that its user wrote', () => {
  const readC = (): ReadBook =>
    read(
      readFileSync(new URL('c.json', strangers)),
      readFileSync(new URL('c.mapping.yaml', strangers), 'utf8'),
    );

  test('is read in full, with every price that its writer meant', () => {
    const reading = readC();
    expect(reading).toMatchObject({ partial: false, identified: false, coverage: { unsupported: [] } });
    const golden = readFileSync(new URL('c.mapped.golden.txt', strangers), 'utf8');
    expect([...prices(reading)].sort()).toEqual(golden.trim().split('\n'));
  });

  test('has a factor of each contract for each kind of call', () => {
    const factors = readC().book.adjustments.map(
      ({ group, endpoint, factor }) => `${group} ${endpoint} ${factor}`,
    );
    expect(factors).toHaveLength(40);
    expect(factors).toEqual(
      expect.arrayContaining(['studio image_edit 0.9', 'agency video 0.92', 'broadcast chat 0.97']),
    );
  });
});

test.each<[string, unknown, string, readonly string[]]>([
  [
    'rows that name their meter, one a price',
    [
      { m: 'a', what: 'in', usd: 2 },
      { m: 'a', what: 'out', usd: 8 },
    ],
    'tokens_per: million\neach: "[*]"\nfields: { model: m, meter: { path: what, values: { in: input, out: output } }, price: { path: usd } }',
    ['a input_token = 0.000002', 'a output_token = 0.000008'],
  ],
  [
    'rows by size and quality; a class of sizes stands for its sizes',
    [
      { m: 'a', s: 'S', q: 'low', usd: 0.01 },
      { m: 'a', s: 'L', q: 'low', usd: 0.04 },
    ],
    'each: "[*]"\nfields: { model: m, image: { path: usd }, size: s, quality: q }\nsizes: { S: [256x256, 512x512], L: [1024x1024] }',
    ['a image 256x256 low = 0.01', 'a image 512x512 low = 0.01', 'a image 1024x1024 low = 0.04'],
  ],
  [
    'prices of whole films by their seconds, where a second costs the same in all',
    [
      { m: 'a', r: '720p', s: 5, usd: 0.5 },
      { m: 'a', r: '720p', s: 10, usd: 1 },
    ],
    'each: "[*]"\nfields: { model: m, video_second: { path: usd }, resolution: r, seconds: s }',
    ['a video_second 720p = 0.1'],
  ],
  [
    'tiers by the edge that they begin at',
    [
      { m: 'a', from: 0, usd: 1 },
      { m: 'a', from: 128000, usd: 2 },
    ],
    'tokens_per: million\neach: "[*]"\nfields: { model: m, input: { path: usd }, above: from }',
    ['a input_token = 0.000001', 'a input_token above 128000 = 0.000002'],
  ],
  [
    'tiers by the edge that they end at, the last without one',
    [{ m: 'a', steps: [{ to: 32000, usd: 1 }, { to: 128000, usd: 2 }, { usd: 3 }] }],
    'tokens_per: million\neach: "[*]"\nfields: { model: m }\nvariants: { each: "steps[*]", input: { path: usd }, up_to: to }',
    [
      'a input_token = 0.000001',
      'a input_token above 32000 = 0.000002',
      'a input_token above 128000 = 0.000003',
    ],
  ],
  [
    'rows by tier, group, hours and day',
    [
      { m: 'a', usd: 4 },
      { m: 'a', t: 'priority', usd: 8 },
      { m: 'a', g: 'vip', usd: 3 },
      { m: 'a', h1: '16:30', h2: '00:30', usd: 2 },
      { m: 'a', d: '2026-01-01', usd: 5 },
    ],
    'tokens_per: million\neach: "[*]"\nfields: { model: m, output: { path: usd }, service_tier: t, group: g, hours_from: h1, hours_to: h2, valid_from: d }',
    [
      'a output_token = 0.000004',
      'a output_token priority = 0.000008',
      'a output_token vip = 0.000003',
      'a output_token 16:30-00:30 = 0.000002',
      'a output_token 2026-01-01T00:00:00Z = 0.000005',
    ],
  ],
  [
    'tokens_per alone: the rest is read by the names of the fields',
    { models: [{ id: 'a', input: 0.15 }] },
    'tokens_per: thousand',
    ['a input_token = 0.00015'],
  ],
])('%s', (_, rows, mapping, expected) => {
  const reading = readRows(rows, mapping);
  expect(reading.coverage).toMatchObject({ unsupported: [], unmapped_keys: [] });
  expect(prices(reading)).toEqual(expected);
});

describe('what the normal form cannot hold is left out, and said', () => {
  test.each<[string, unknown, string, string]>([
    [
      'films whose second costs less the longer they are',
      [
        { m: 'a', s: 5, usd: 0.5 },
        { m: 'a', s: 10, usd: 0.8 },
      ],
      'each: "[*]"\nfields: { model: m, video_second: { path: usd }, seconds: s }',
      'several prices for one use: name what tells them apart, such as size, service_tier or above',
    ],
    [
      'a class that no size is named for',
      [{ m: 'a', s: 'XL', usd: 1 }],
      'each: "[*]"\nfields: { model: m, image: { path: usd }, size: s }\nsizes: { S: [512x512] }',
      'usd: 1 is for size XL, which stands not under sizes',
    ],
    [
      'hours in words',
      [{ m: 'a', h: 'night', usd: 1 }],
      'each: "[*]"\nfields: { model: m, input: { path: usd }, hours_from: h, hours_to: h }',
      'night to night: expected two times of day in UTC such as 16:30',
    ],
    [
      'a price above a length without one below it',
      [{ m: 'a', from: 5, usd: 1 }],
      'each: "[*]"\nfields: { model: m, input: { path: usd }, above: from }',
      'has prices above a length only, and none below it',
    ],
  ])('%s', (_, rows, mapping, text) => {
    const more = '\nconstants: { currency: USD }';
    const sure = { m: 'sure', usd: 1, s: mapping.includes('sizes') ? 'S' : '1', h: '10:00' };
    const reading = readRows([...(Array.isArray(rows) ? rows : []), sure], mapping + more);
    expect(reading.coverage.unsupported).toEqual([{ model: 'a', text }]);
    expect(reading.book.models.map(({ model }) => model)).toEqual(['sure']);
  });
});

test.each([
  ['colour: 1', 'the file: expected one of schema, book, tokens_per, each,'],
  ['tokens_per: many', 'tokens_per: expected token, thousand, million or a number of tokens'],
  ['lists: a.*', 'lists: expected a list, found "a.*"'],
  [
    'lists: [{ each: a.*, fields: { model: $key, input: cost } }]',
    'lists.0.fields.input: expected a mapping with path, per, factor, base, found "cost"',
  ],
  ['lists: [{ fields: { model: $key } }]', 'lists.0.each: expected this key, found none'],
  [
    'tokens_per: million\nconstants: { rounding: { quantum: 1, mode: up } }',
    'constants.rounding.mode: expected one of',
  ],
  [
    'each: a\nfields: { model: b, meter: weight }',
    'fields.meter: expected one of input, output, cache_read, cache_write, reasoning, request, image, video_second, found "weight", or expected a mapping with path, values, found "weight"',
  ],
  ['each: a.*', 'fields: expected each and fields together'],
  ['constants: {}', 'each: expected each with fields, lists, or tokens_per alone, found none of them'],
])('%s is refused in plain words', (mapping, rule) => {
  const read = (): unknown => readMapping(`schema: weighbridge.mapping/1\n${mapping}`, 'm.yaml');
  expect(read).toThrow(rule);
  expect(read).not.toThrow(/Invalid|received|undefined/);
  expect(read).toThrow(/m\.yaml: line \d+, column \d+: /);
});

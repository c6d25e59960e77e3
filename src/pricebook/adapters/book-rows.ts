import type { ModelPrice, PriceComponent } from '../../contracts/price-book.ts';
import { componentKind, countOf, perMillion, perUnit } from './components.ts';
import { plainModel } from './plain-model.ts';
import { priceText } from './price-text.ts';

/** One row of a price list made by hand: prices of tokens for a million, of all else for one. */
export const ROW_PRICES = [
  'input',
  'output',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'reasoning',
  'request',
  'image',
  'video_second',
] as const;
const ROW_OPTIONS = ['size', 'quality', 'resolution'] as const;
export const ROW_KEYS = [
  'model',
  ...ROW_PRICES,
  ...ROW_OPTIONS,
  'service_tier',
  'valid_from',
  'valid_to',
  'max_output_tokens',
] as const;

export type BookRow = Readonly<Partial<Record<(typeof ROW_KEYS)[number], string>>>;

/** What is wrong with a row, with the column it stands in. */
export interface RowFault {
  readonly key: (typeof ROW_KEYS)[number];
  readonly rule: string;
}

export function rowFaults(row: BookRow): readonly RowFault[] {
  const faults: RowFault[] = [];
  if ((row.model ?? '') === '') faults.push({ key: 'model', rule: 'expected the id of a model' });
  for (const key of ROW_PRICES) {
    const text = row[key];
    if (text !== undefined && priceText(text) === null) {
      faults.push({ key, rule: `expected a decimal number of at least 0, found ${JSON.stringify(text)}` });
    }
  }
  if (ROW_PRICES.every((key) => row[key] === undefined)) faults.push({ key: 'model', rule: 'has no price' });
  for (const key of ['valid_from', 'valid_to'] as const) {
    if (row[key] !== undefined && !/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{3})?Z)?$/.test(row[key])) {
      faults.push({ key, rule: `expected a day or a moment in UTC, found ${JSON.stringify(row[key])}` });
    }
  }
  if (row.max_output_tokens !== undefined && countOf(row.max_output_tokens) === null) {
    faults.push({ key: 'max_output_tokens', rule: 'expected a whole number' });
  }
  return faults;
}

/** Rows of one model, service tier and time become one entry: images and videos have a row for each size. */
export function modelsOfRows(rows: readonly BookRow[]): readonly ModelPrice[] {
  const groups = Map.groupBy(rows, (row) =>
    JSON.stringify([row.model, row.service_tier, row.valid_from, row.valid_to]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const components = group.flatMap(componentsOf);
    return [
      plainModel(first.model ?? '', componentKind(components), components, {
        ...(first.service_tier === undefined ? {} : { when: { service_tier: first.service_tier } }),
        // What says more wins over what says less.
        priority: (first.service_tier === undefined ? 0 : 1) + (dated(first) ? 2 : 0),
        valid_from: moment(first.valid_from),
        valid_to: moment(first.valid_to),
        max_output_tokens: countOf(first.max_output_tokens),
      }),
    ];
  });
}

function componentsOf(row: BookRow): readonly PriceComponent[] {
  const price = (key: (typeof ROW_PRICES)[number]): string | null => priceText(row[key]);
  const options = Object.fromEntries(
    ROW_OPTIONS.flatMap((key) => (row[key] === undefined ? [] : [[key, row[key]]])),
  );
  return [
    ...perMillion('input_token', price('input')),
    ...perMillion('output_token', price('output')),
    ...perMillion('cache_read_token', price('cache_read')),
    ...perMillion(
      'cache_write_token',
      price('cache_write'),
      row.cache_write_1h === undefined ? {} : { ttl: '5m' },
    ),
    ...perMillion('cache_write_token', price('cache_write_1h'), { ttl: '1h' }),
    ...perMillion('reasoning_token', price('reasoning'), { mode: 'included' }),
    ...perUnit('request', price('request')),
    ...perUnit('image', price('image'), options),
    ...perUnit('video_second', price('video_second'), options),
  ];
}

function dated({ valid_from, valid_to }: BookRow): boolean {
  return valid_from !== undefined || valid_to !== undefined;
}

function moment(text: string | undefined): string | null {
  return text === undefined ? null : text.includes('T') ? text : `${text}T00:00:00.000Z`;
}

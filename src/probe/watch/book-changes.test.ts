import { expect, test } from 'vitest';
import { plainAdjustment } from '../../pricebook/adapters/plain-model.ts';
import { bookOf, modelOf } from '../../pricebook/price-book.test-support.ts';
import { bookChanges } from './book-changes.ts';

const BASE = modelOf({ input_token: '1', output_token: '2' });

test('a price that rises and one that falls are told by line, with both', () => {
  const after = modelOf({ input_token: '0.5', output_token: '2.5' });
  expect(bookChanges(bookOf([BASE]), bookOf([after], { pricing_version: 'v2' }))).toEqual([
    { change: 'price_down', model: 'm', line: 'input_token', from: '0.000001', to: '0.0000005' },
    { change: 'price_up', model: 'm', line: 'output_token', from: '0.000002', to: '0.0000025' },
  ]);
});

test('the same price written otherwise is no change', () => {
  const [component, ...others] = BASE.components;
  if (component === undefined) throw new Error('no component');
  const thousands = { ...component, price: '0.0010', per: '1000' };
  expect(bookChanges(bookOf([BASE]), bookOf([{ ...BASE, components: [thousands, ...others] }]))).toEqual([]);
});

test('models come and go; their prices are no changes', () => {
  const other = { ...BASE, model: 'n', match: { kind: 'exact', text: 'n' } } as const;
  expect(bookChanges(bookOf([BASE]), bookOf([other])).map(({ change, model }) => [change, model])).toEqual([
    ['model_removed', 'm'],
    ['model_added', 'n'],
  ]);
});

test('a version alone is told only where nothing else is', () => {
  expect(bookChanges(bookOf([BASE]), bookOf([BASE], { pricing_version: 'v2' }))).toMatchObject([
    { change: 'version_only', from: 'pb v1', to: 'pb v2' },
  ]);
  expect(bookChanges(bookOf([BASE]), bookOf([BASE]))).toEqual([]);
});

test('a cache price that is new stands against plain input, any other against nothing', () => {
  const cached = modelOf({ input_token: '1', output_token: '2', cache_read_token: '0.1', request: '3' });
  const changes = bookChanges(bookOf([BASE]), bookOf([cached]));
  expect(changes.map(({ change, line }) => `${change} ${line}`)).toEqual([
    'price_down cache_read_token',
    'price_up request',
  ]);
  expect(
    bookChanges(bookOf([cached]), bookOf([BASE])).map(({ change, line }) => `${change} ${line}`),
  ).toEqual(['price_up cache_read_token', 'price_down request']);
});

test('a factor over all prices is a change of price; a discount works the other way', () => {
  const factor = (kind: 'multiplier' | 'discount', value: string) =>
    bookOf([BASE], { adjustments: [plainAdjustment('group', value, { kind })] });
  const kinds = (before: string, after: string, kind: 'multiplier' | 'discount') =>
    bookChanges(factor(kind, before), factor(kind, after)).map(({ change, model }) => [change, model]);
  expect(kinds('1', '1.5', 'multiplier')).toEqual([['price_up', null]]);
  expect(kinds('0.1', '0.2', 'discount')).toEqual([['price_down', null]]);
  expect(bookChanges(bookOf([BASE]), factor('multiplier', '2')).map(({ change }) => change)).toEqual([
    'price_up',
  ]);
});

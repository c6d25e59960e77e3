import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ROUNDING_MODES } from '../../core/rounding.ts';
import { plainAdjustment, plainModel } from '../adapters/plain-model.ts';
import { bookOf, componentOf, modelOf } from '../price-book.test-support.ts';
import { cellRows } from './cells.test-support.ts';
import { compileCells } from './compile-cells.ts';
import { evaluateCell } from './evaluate-cell.test-support.ts';
import { MOST_PRICE } from './price-cell.ts';

const SEED = 20_261_121;

test('a cell charges what the book does, to the digit', () => {
  let ties = 0;
  fc.assert(
    fc.property(cellRows, (rows) => {
      ties += rows.filter(({ tie }) => tie).length;
      expect(rows.map(({ cell, units }) => evaluateCell(cell, units))).toEqual(
        rows.map(({ charge }) => charge),
      );
    }),
    { seed: SEED, numRuns: 200 },
  );
  expect(ties).toBeGreaterThan(100);
});

describe('compiling', () => {
  const scope = { models: ['m'], group: null, key_fp: null };
  const prices = { input_token: '3', output_token: '15' };
  const slowOf = (book: Parameters<typeof compileCells>[0]) =>
    [...new Set(compileCells(book, scope).slow.map(({ reason }) => reason))].join();

  test('one cell an endpoint and tier, numbered on from the first', () => {
    const book = bookOf([
      modelOf(prices, {
        tiers: {
          basis: 'context_len',
          mode: 'cliff',
          inclusive: 'gt',
          thresholds: [{ above: '200000', components: [componentOf('input_token', '6')] }],
        },
      }),
    ]);
    const { cells, slow } = compileCells(book, { ...scope, first: 7 });
    expect(slow).toEqual([]);
    expect(cells.map(({ cell, endpoint, len_from, len_to }) => [cell, endpoint, len_from, len_to])).toEqual([
      [7, 'chat', 0n, 200_001n],
      [8, 'chat', 200_001n, null],
      [9, 'responses', 0n, 200_001n],
      [10, 'responses', 200_001n, null],
      [11, 'messages', 0n, 200_001n],
      [12, 'messages', 200_001n, null],
      [13, 'completion', 0n, 200_001n],
      [14, 'completion', 200_001n, null],
      [15, 'embedding', 0n, 200_001n],
      [16, 'embedding', 200_001n, null],
    ]);
    expect(cells[0]).toMatchObject({
      scale: 8,
      p_in: 300n,
      p_out: 1500n,
      p_read: null,
      d: 1n,
      quantum_pico: 10_000n,
    });
  });

  test('a version in time is a cell of its own, a moment without a price none', () => {
    const book = bookOf([
      modelOf(prices, { valid_from: '2026-01-01T00:00:00Z', valid_to: '2026-02-01T00:00:00Z' }),
      modelOf({ ...prices, input_token: '4' }, { valid_from: '2026-02-01T00:00:00Z' }),
    ]);
    const { cells } = compileCells(book, scope);
    const chat = cells.filter(({ endpoint }) => endpoint === 'chat');
    expect(chat.map((cell) => [cell.valid_from_s, cell.valid_to_s, cell.p_in])).toEqual([
      [1_767_225_600, 1_769_904_000, 300n],
      [1_769_904_000, null, 400n],
    ]);
  });

  test('no cell reaches beyond the time in which its book is in force', () => {
    const book = bookOf([modelOf(prices)], { valid_from: '2026-02-01T00:00:00Z' });
    expect(
      compileCells(book, scope).cells.map(({ valid_from_s, valid_to_s }) => [valid_from_s, valid_to_s]),
    ).toEqual(Array(5).fill([1_769_904_000, null]));
  });

  test('a factor that ends in no decimal, and every rule beyond a sum, is slow and says why', () => {
    const graduated = { basis: 'output', mode: 'graduated', inclusive: 'gt', thresholds: [] } as const;
    const rounding = { scope: 'component', quantum: '0.01', mode: 'ceil', pre: [] } as const;
    expect(slowOf(bookOf([modelOf({ input_token: '3' }, { tiers: graduated })]))).toBe(
      'its tiers are graduated by output',
    );
    expect(slowOf(bookOf([modelOf(prices)], { rounding }))).toBe('its rounding is of scope component');
    expect(slowOf(bookOf([modelOf(prices, { time_of_day: { from: '08:00', to: '20:00' } })]))).toBe(
      'the price depends on the time of day',
    );
    expect(
      slowOf(bookOf([modelOf(prices)], { adjustments: [plainAdjustment('vip', '0.8', { group: 'vip' })] })),
    ).toBe('the price depends on a group or key that is not known');
    expect(slowOf(bookOf([plainModel('m', 'text', [componentOf('input_token', '1', { per: '3' })])]))).toBe(
      'a price needs more than 24 decimals',
    );
    expect(slowOf(bookOf([modelOf({ ...prices, reasoning_token: '60' })]))).toBe('it prices reasoning_token');
    expect(slowOf(bookOf([modelOf({ ...prices, input_token: `1${'0'.repeat(30)}` })]))).toBe(
      'a price has more digits than a cell holds',
    );
    expect(MOST_PRICE).toBe(10n ** 24n);
  });

  test('two entries that fit alike are slow, as no price of theirs can be chosen', () => {
    const book = bookOf([modelOf(prices), modelOf({ input_token: '4', output_token: '4' })]);
    expect(slowOf(book)).toBe('two entries of the book price "m" with priority 0');
  });
});

test('a unit that was used and has no price has no charge, never a free one', () => {
  const [cell] = compileCells(bookOf([modelOf({ input_token: '1' })]), {
    models: ['m'],
    group: null,
    key_fp: null,
  }).cells;
  if (cell === undefined) throw new Error('no cell');
  const units = { n_plain: 1n, n_read: 0n, n_write: 0n, n_out: 0n, n_unit: 0n };
  expect([evaluateCell(cell, units), evaluateCell(cell, { ...units, n_out: 1n })]).toEqual([
    1_000_000n,
    null,
  ]);
});

test('modes are told by their place, as the fixed expression has them', () => {
  expect(ROUNDING_MODES).toEqual(['half_up', 'half_even', 'half_down', 'ceil', 'floor', 'trunc']);
});

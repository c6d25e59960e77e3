import { describe, expect, test } from 'vitest';
import type { Meter } from '../../contracts/price-book.ts';
import { divideRounded, type RoundingMode } from '../../core/rounding.ts';
import { inferPrices, type Observation } from './infer-prices.ts';
import { type ComparedCharge, inferredChange } from './price-change.ts';

const METERS: readonly Meter[] = ['input_token', 'cache_read_token', 'output_token'];

/** Prices in 10⁻¹² USD a unit; amounts rounded to a quantum of 10⁻¹² USD. */
function observed(
  count: number,
  prices: readonly bigint[],
  rule: { readonly quantum?: bigint; readonly mode?: RoundingMode } = {},
  unitsOf = (index: number): readonly bigint[] => [
    BigInt(900 + ((index * 7919) % 5003)),
    BigInt((index * 104_729) % 911),
    BigInt(40 + ((index * 15_485_863) % 701)),
  ],
): readonly Observation[] {
  const { quantum = 10_000n, mode = 'half_up' } = rule;
  return Array.from({ length: count }, (_, index) => {
    const units = unitsOf(index);
    const sum = units.reduce((total, each, meter) => total + each * (prices[meter] ?? 0n), 0n);
    return { units, amount: divideRounded(sum, quantum, mode) * quantum, at_s: index };
  });
}

describe('prices from charges alone', () => {
  test('are found to the digit', () => {
    const found = inferPrices(METERS, observed(120, [3_000_000n, 300_000n, 15_000_000n]));
    expect(found?.per_million).toEqual(['3', '0.3', '15']);
    expect(found?.undetermined).toEqual([]);
    expect(found?.fit).toBe(120);
  });

  test.each([
    ['half_up', '0.000001', 1_000_000n],
    ['ceil', '0.00000001', 10_000n],
    ['floor', '0.000002', 2_000_000n],
  ] as const)('with the rounding they follow: %s to %s', (mode, text, quantum) => {
    const found = inferPrices(
      METERS,
      observed(400, [2_513_000n, 1_250_000n, 10_000_000n], { quantum, mode }),
    );
    expect(found?.per_million).toEqual(['2.513', '1.25', '10']);
    expect(found?.rounding).toMatchObject({ mode, quantum: text });
  });

  test('wrong charges are left out, and named', () => {
    const right = observed(100, [3_000_000n, 300_000n, 15_000_000n]);
    const wrong = right.map((each, index) =>
      index % 25 === 7 ? { ...each, amount: each.amount + 4_560_000n } : each,
    );
    const found = inferPrices(METERS, wrong);
    expect(found?.per_million).toEqual(['3', '0.3', '15']);
    expect(found?.outliers).toEqual([7, 32, 57, 82]);
  });

  test('a meter that was never used is not determined', () => {
    const found = inferPrices(
      METERS,
      observed(60, [3_000_000n, 300_000n, 15_000_000n], {}, (index) => [
        BigInt(900 + 37 * index),
        0n,
        BigInt(40 + ((index * 31) % 67)),
      ]),
    );
    expect(found?.per_million).toEqual(['3', null, '15']);
    expect(found?.undetermined).toEqual(['cache_read_token']);
  });

  test('nothing is told by charges of one size, nor by charges without a price', () => {
    const alike = observed(50, [3_000_000n, 300_000n, 15_000_000n], {}, () => [900n, 30n, 40n]);
    expect(inferPrices(METERS, alike)?.undetermined ?? METERS).toEqual(
      expect.arrayContaining(['cache_read_token', 'output_token']),
    );
    const random = alike.map((each, index) => ({
      units: [BigInt(900 + index * index), BigInt((index * 7) % 11), 40n],
      amount: BigInt((index * 7_368_787) % 1_000_003) * 10_000n,
      at_s: each.at_s,
    }));
    expect(inferPrices(METERS, random)).toBeNull();
  });
});

describe('a change of prices', () => {
  const BOOK = [3_000_000n, 300_000n, 15_000_000n];
  const compared = (
    charges: readonly Observation[],
    asDue: boolean,
    from: number,
  ): readonly ComparedCharge[] => charges.map((each) => ({ ...each, at_s: each.at_s + from, as_due: asDue }));
  const byBook = (count: number, from: number): readonly ComparedCharge[] =>
    compared(observed(count, BOOK), true, from);
  const byOthers = (count: number, from: number): readonly ComparedCharge[] =>
    compared(observed(count, [3_750_000n, 375_000n, 18_750_000n]), false, from);

  test('is found at its moment, on whichever side the book holds', () => {
    const later = inferredChange(METERS, [...byOthers(90, 90), ...byBook(60, 30)]);
    expect(later).toMatchObject({ at_s: 90, book_holds: 'before', by_book: 60, by_others: 90 });
    expect(later?.others.per_million).toEqual(['3.75', '0.375', '18.75']);
    const earlier = inferredChange(METERS, [...byBook(60, 90), ...byOthers(90, 0)]);
    expect(earlier).toMatchObject({ at_s: 90, book_holds: 'after', by_book: 60, by_others: 90 });
  });

  test('is found though a few charges on either side are wrong by themselves', () => {
    const charges = [...byBook(60, 0), ...byOthers(60, 60)].map((each, index) =>
      index === 20 || index === 90 ? { ...each, amount: each.amount + 4_560_000n, as_due: false } : each,
    );
    expect(inferredChange(METERS, charges)?.at_s).toBe(60);
  });

  test('is none where charges are wrong here and there, nor where few are of the other prices', () => {
    const mixed = byBook(90, 0).map((each, index) =>
      index % 3 === 0 ? { ...each, amount: each.amount * 2n, as_due: false } : each,
    );
    expect(inferredChange(METERS, mixed)).toBeNull();
    expect(inferredChange(METERS, byBook(90, 0))).toBeNull();
    for (const few of [1, 19]) {
      expect(inferredChange(METERS, [...byBook(90, 0), ...byOthers(few, 90)])).toBeNull();
      expect(inferredChange(METERS, [...byBook(few, 0), ...byOthers(90, 90)])).toBeNull();
    }
  });

  test('is none where what follows shares no prices', () => {
    const loose = byBook(60, 60).map((each, index) => ({
      ...each,
      amount: BigInt((index * 7_368_787) % 1_000_003) * 10_000n,
      as_due: false,
    }));
    expect(inferredChange(METERS, [...byBook(60, 0), ...loose])).toBeNull();
  });
});

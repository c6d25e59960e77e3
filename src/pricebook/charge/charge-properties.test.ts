import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PriceBook } from '../../contracts/price-book.ts';
import { compareRational, multiplyRational, rational } from '../../core/rational.ts';
import { bookOf, componentOf, modelOf } from '../price-book.test-support.ts';
import { anyBook, anyBox } from '../random-books.test-support.ts';
import { type ChargeContext, contextOf } from './charge-context.ts';
import { type ChargeFacts, NO_FACTS } from './charge-facts.ts';
import type { Charge } from './charge-result.ts';
import { evaluateCharge } from './evaluate-charge.ts';
import { priceBounds } from './price-bounds.ts';

const RUNS = { seed: 20_261_121, numRuns: 1_500 };
const VIP: ChargeContext = { ...contextOf('m', 'chat'), group: 'vip' };

function charged(book: PriceBook, facts: ChargeFacts, context: ChargeContext): Charge {
  const charge = evaluateCharge(book, facts, context);
  if ('unpriced' in charge) throw new Error(charge.unpriced);
  return charge;
}

test('an interval holds the charge of every point inside it, across tiers, steps and roundings', () => {
  let points = 0;
  fc.assert(
    fc.property(anyBook, anyBox, (book, { point, around }) => {
      const inner = charged(book, point, VIP);
      const outer = charged(book, around, VIP);
      expect([outer.lo <= inner.lo, inner.hi <= outer.hi]).toEqual([true, true]);
      if (outer.exact !== null) points += 1;
      expect(inner.exact).not.toBeNull();
    }),
    RUNS,
  );
  expect(points).toBeGreaterThan(20);
});

test('an unknown group holds the charge of every group', () => {
  fc.assert(
    fc.property(anyBook, anyBox, fc.constantFrom('vip', 'basic', 'none'), (book, { point }, group) => {
      const inner = charged(book, point, { ...VIP, group });
      const outer = charged(book, point, { ...VIP, group: null });
      expect(outer.lo <= inner.lo && inner.hi <= outer.hi).toBe(true);
    }),
    { ...RUNS, numRuns: 300 },
  );
});

test('no charge exceeds the price bound by which the spend cap reserves', () => {
  fc.assert(
    fc.property(anyBook, anyBox, (book, { point }) => {
      const bound = priceBounds(book, 'm', 'chat', {});
      if (bound === null) throw new Error('no bound');
      const { input, output } = point;
      if (typeof input !== 'bigint' || typeof output !== 'bigint') throw new Error('no point');
      const most =
        BigInt(bound.per_input_token) * input + BigInt(bound.per_output_token) * output + BigInt(bound.fixed);
      expect(charged(book, point, VIP).hi <= most).toBe(true);
    }),
    RUNS,
  );
});

test('twice the units of a book without tiers, steps, minimum and surcharge cost twice as much', () => {
  const double = (value: ChargeFacts[keyof ChargeFacts]) => (typeof value === 'bigint' ? value * 2n : value);
  fc.assert(
    fc.property(anyBook, anyBox, (book, { point }) => {
      const linear: PriceBook = {
        ...book,
        rounding: { ...book.rounding, scope: 'record' },
        adjustments: book.adjustments.filter(({ kind }) => kind !== 'surcharge'),
        models: book.models.map((model) => ({
          ...model,
          tiers: null,
          minimum: null,
          components: model.components
            .filter(({ meter }) => meter !== 'request')
            .map(({ unit_rounding: _, ...component }) => component),
        })),
      };
      const twice: ChargeFacts = {
        ...NO_FACTS,
        ...Object.fromEntries(Object.entries(point).map(([name, value]) => [name, double(value)])),
      };
      const one = charged(linear, point, VIP).exact;
      const two = charged(linear, twice, VIP).exact;
      if (one === null || two === null) throw new Error('no point');
      expect(compareRational(multiplyRational(one, rational(2n, 1n)), two)).toBe(0);
    }),
    { ...RUNS, numRuns: 400 },
  );
});

describe('bounds are as narrow as the facts allow', () => {
  const tiered = (mode: 'cliff' | 'graduated', above: string): PriceBook =>
    bookOf([
      modelOf(
        { input_token: '2', output_token: '0' },
        {
          tiers: {
            basis: 'context_len',
            mode,
            inclusive: 'gt',
            thresholds: [{ above: '1000000', components: [componentOf('input_token', above)] }],
          },
        },
      ),
    ]);
  const usd = (book: PriceBook, lo: bigint, hi: bigint): readonly string[] => {
    const facts = { ...NO_FACTS, input: { lo, hi }, output: 0n, cache_read: 0n, cache_write: 0n };
    const charge = charged(book, facts, VIP);
    return [charge.lo, charge.hi].map((amount) => String(amount / 1_000_000n));
  };

  test('a cheaper tier has its least at the threshold, not at either end', () => {
    expect(usd(tiered('cliff', '1'), 900_000n, 1_900_000n)).toEqual(['1000001', '2000000']);
  });

  test('a dearer tier has its most at the end', () => {
    expect(usd(tiered('cliff', '3'), 900_000n, 1_900_000n)).toEqual(['1800000', '5700000']);
  });

  test('graduated prices grow without a step', () => {
    expect(usd(tiered('graduated', '1'), 900_000n, 1_900_000n)).toEqual(['1800000', '2900000']);
  });

  test('the tier is named where only one is possible', () => {
    const facts = { ...NO_FACTS, output: 0n, cache_read: 0n, cache_write: 0n };
    const book = tiered('cliff', '1');
    const tierOf = (input: ChargeFacts['input']): string | null =>
      charged(book, { ...facts, input }, VIP).tier;
    expect([tierOf(1_000_000n), tierOf(1_000_001n), tierOf({ lo: 1n, hi: 2_000_000n })]).toEqual([
      null,
      'context_len > 1000000',
      null,
    ]);
  });
});

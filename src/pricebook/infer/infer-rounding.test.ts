import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountOf } from '../../core/amount.ts';
import { parseDecimal } from '../../core/decimal.ts';
import { rational } from '../../core/rational.ts';
import { ROUNDING_MODES, roundToQuantum } from '../../core/rounding.ts';
import {
  type ChargedRow,
  inferRounding,
  untoldUnit,
  WIDEST_ROUNDING,
  wideRounding,
} from './infer-rounding.ts';

function row(num: bigint, den: bigint, charged: bigint): ChargedRow {
  return { exact: rational(num, den), charged };
}

test('a rule that was planted gives every row, whatever the rule', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ROUNDING_MODES),
      fc.constantFrom('0.000002', '0.000001', '0.00000001', '0.000000000001'),
      fc.array(fc.nat(2_000_000_000), { minLength: 40, maxLength: 60 }),
      (mode, quantum, units) => {
        const step = parseDecimal(quantum);
        if (step === null) throw new Error(quantum);
        const rows = units.map((unit) => {
          const exact = rational(BigInt(unit), 10n ** 13n);
          return { exact, charged: amountOf(roundToQuantum(exact, step, mode)) ?? 0n };
        });
        const found = inferRounding(rows);
        expect(found).toMatchObject({ fit: rows.length, of: rows.length });
        const own = parseDecimal(found?.rounding.quantum ?? '0');
        if (found === null || own === null) throw new Error('no rule');
        for (const { exact, charged } of rows) {
          expect(amountOf(roundToQuantum(exact, own, found.rounding.mode))).toBe(charged);
        }
      },
    ),
    { numRuns: 60, seed: 9 },
  );
});

test('a row that no rounding explains is left aside; rows that contradict each other have no rule', () => {
  const right = [row(1n, 10n ** 6n, 1_000_000n), row(3n, 10n ** 6n, 3_000_000n)];
  expect(inferRounding([...right, row(1n, 10n ** 6n, 9_000_000n)])).toMatchObject({ fit: 2, of: 3 });
  expect(
    inferRounding([...right, row(5n, 10n ** 6n, 5_000_001n), row(7n, 10n ** 6n, 6_999_999n)]),
  ).toBeNull();
  expect(inferRounding([])).toBeNull();
});

test('the rule that is found rounds no part before the sum', () => {
  expect(inferRounding([row(1n, 10n ** 6n, 1_000_000n)])?.rounding.pre).toEqual([]);
});

describe('a grid of $0.0001', () => {
  const MICRO = 1_000_000n;
  /** Prices of some ten-thousandths and a little more, each charged the next ten-thousandth. */
  const upwards = (count: number, steps: number): readonly ChargedRow[] =>
    Array.from({ length: count }, (_, index) => {
      const step = BigInt(index % steps) * 100n;
      return row((step + 37n) * MICRO, 10n ** 12n, (step + 100n) * MICRO);
    });

  test('is shown by twenty charges that lie further from their price than a fine one moves them', () => {
    expect(wideRounding(upwards(20, 20))).toEqual({
      scope: 'record',
      quantum: '0.0001',
      mode: 'ceil',
      pre: [],
    });
    expect(wideRounding(upwards(19, 19))).toBeNull();
  });

  test('is not shown by one amount for all, which is a least charge', () => {
    expect(wideRounding(upwards(40, 1))).toBeNull();
  });

  test('is not shown where more than a tenth contradict it', () => {
    const off = (each: ChargedRow, index: number, share: number): ChargedRow =>
      index % share === 0 ? { ...each, charged: each.charged + 17n * MICRO } : each;
    expect(wideRounding(upwards(40, 40).map((each, index) => off(each, index, 10)))).not.toBeNull();
    expect(wideRounding(upwards(40, 40).map((each, index) => off(each, index, 8)))).toBeNull();
  });
});

test('a factor shows the rounding behind it where nearly all charges share it', () => {
  const times = (percent: (index: number) => bigint): readonly ChargedRow[] =>
    Array.from({ length: 50 }, (_, index) => {
      const price = BigInt(index + 3) * 1_000_000n;
      return row(price * 100n, 10n ** 12n, price * percent(index));
    });
  expect(wideRounding(times(() => 85n))).toMatchObject({ quantum: '0.000001' });
  expect(wideRounding(times((index) => (index % 2 === 0 ? 85n : 40n + BigInt(index))))).toBeNull();
});

describe('a grid of 0.0001 that no book tells', () => {
  const PRICES = [123n, 347n, 512n, 289n, 171n, 266n];
  const rounded = PRICES.map((price) => row(price, 10n ** 5n, ((price + 5n) / 10n) * 10n ** 8n));

  test('is found where six amounts are all its multiples', () => {
    expect(inferRounding(rounded)).toMatchObject({ rounding: { quantum: '0.0001' }, fit: 6, of: 6 });
  });

  test('is not found with five, nor where a sixth charges nothing', () => {
    const five = rounded.slice(0, 5);
    expect(inferRounding(five)).toBeNull();
    expect(inferRounding([...five, row(0n, 1n, 0n)])?.rounding.quantum).not.toBe('0.0001');
  });

  test('is not found with one amount off it', () => {
    const off = row(2661n, 10n ** 6n, 2_661_000_000n);
    expect(inferRounding([...rounded, off])).toMatchObject({ rounding: { quantum: '0.000001' }, fit: 1 });
  });

  test('moves an amount by its unit where most models, or nearly all amounts, stand on it', () => {
    const off = [row(2661n, 10n ** 6n, 2_661_000_000n), row(17n, 10n ** 6n, 17_000_000n)];
    const amounts = rounded.map(({ charged }) => charged);
    expect(untoldUnit([rounded], [])).toBe(100_000_000n);
    expect(untoldUnit([off], amounts)).toBe(100_000_000n);
    expect(untoldUnit([off], [...amounts, 2_661_000_000n, 17_000_000n])).toBe(WIDEST_ROUNDING);
    expect(untoldUnit([off], [])).toBe(WIDEST_ROUNDING);
  });
});

import { describe, expect, it } from 'vitest';
import type { Distribution } from '../config/spread.ts';
import type { SizeTable } from '../contracts/plan.ts';
import { MOST_SIZES, sizeTable } from './build-scenario.ts';

const from = (least: number) => ({ least, most: 1_000_000 });

function moments(table: SizeTable): { mean: number; stddev: number } {
  const sizes = typeof table === 'number' ? [table] : table;
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const variance = sizes.reduce((sum, size) => sum + (size - mean) ** 2, 0) / sizes.length;
  return { mean, stddev: Math.sqrt(variance) };
}

function spread(distribution: 'normal' | 'lognormal', mean: number, stddev: number): Distribution {
  return { distribution, mean, stddev, min: null, max: null };
}

describe('sizeTable', () => {
  it.each([
    spread('normal', 500, 50),
    spread('normal', 200, 50),
    spread('lognormal', 500, 150),
    spread('lognormal', 200, 100),
    spread('lognormal', 2_000, 1_000),
  ])('has the mean and deviation asked for: $distribution $mean $stddev', (given) => {
    const table = sizeTable(given, from(1));
    const { mean, stddev } = moments(table);
    const asked = given.distribution === 'uniform' ? { mean: 0, stddev: 0 } : given;
    expect(Math.abs(mean / asked.mean - 1)).toBeLessThan(0.01);
    expect(Math.abs(stddev / asked.stddev - 1)).toBeLessThan(0.01);
    expect(table).toHaveLength(MOST_SIZES);
    expect(table).toEqual(typeof table === 'number' ? [] : table.toSorted((a, b) => a - b));
  });

  it('has the quantiles of a lognormal distribution: its median lies below its mean', () => {
    const table = sizeTable(spread('lognormal', 200, 200), from(1));
    const median = typeof table === 'number' ? table : (table[MOST_SIZES / 2] ?? 0);
    // mean / √(1 + (stddev / mean)²)
    expect(Math.abs(median - 141.4)).toBeLessThan(1);
  });

  it('gives each of few whole numbers the same share, and spreads many', () => {
    expect(sizeTable({ distribution: 'uniform', min: 3, max: 6 }, from(1))).toEqual([3, 4, 5, 6]);
    const { mean, stddev } = moments(sizeTable({ distribution: 'uniform', min: 1_000, max: 9_000 }, from(1)));
    expect(mean).toBeCloseTo(5_000, -1);
    expect(Math.abs(stddev / (8_000 / Math.sqrt(12)) - 1)).toBeLessThan(0.01);
  });

  it('clamps to the bounds given and to the least that can be sent', () => {
    const clamped = sizeTable({ ...spread('normal', 100, 50), min: 90, max: 110 }, from(1));
    expect([Math.min(...list(clamped)), Math.max(...list(clamped))]).toEqual([90, 110]);
    expect(list(clamped).filter((size) => size === 90).length).toBeGreaterThan(300);
    expect(Math.min(...list(sizeTable(spread('normal', 10, 50), from(8))))).toBe(8);
    const huge = list(sizeTable(spread('lognormal', 900_000, 900_000), from(8)));
    expect(Math.max(...huge)).toBe(1_000_000);
  });

  it('is a plain number where all are the same, in the unit asked for', () => {
    expect(sizeTable(200, from(8), (tokens) => tokens * 5)).toBe(1_000);
    expect(sizeTable(spread('normal', 200, 0), from(8))).toBe(200);
    expect(sizeTable({ distribution: 'uniform', min: 7, max: 7 }, from(1))).toBe(7);
    expect(sizeTable({ distribution: 'uniform', min: 3, max: 4 }, from(1), (tokens) => tokens * 5)).toEqual([
      15, 20,
    ]);
  });
});

function list(table: SizeTable): readonly number[] {
  return typeof table === 'number' ? [table] : table;
}

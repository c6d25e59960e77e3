import { describe, expect, it } from 'vitest';
import { ascending, latencyTable, percentile } from './latency-table.ts';

describe('percentile', () => {
  // numpy.percentile([15, 20, 35, 40, 50], [5, 30, 40, 50, 100]) = 16, 23, 29, 35, 50
  it.each([
    [5, 16],
    [30, 23],
    [40, 29],
    [50, 35],
    [100, 50],
  ])('p%i interpolates as numpy does', (percent, expected) => {
    expect(percentile([15, 20, 35, 40, 50], percent)).toBe(expected);
  });

  it('is absent for no value and the value for one', () => {
    expect(percentile([], 50)).toBeNull();
    expect(percentile([7], 99)).toBe(7);
  });
});

describe('latencyTable', () => {
  it('is absent for no value', () => {
    expect(latencyTable([])).toBeNull();
  });

  it('sorts by number and gives p99.9 only from 1,000 values up', () => {
    const values = Array.from({ length: 1000 }, (_, index) => 1000 - index);
    const table = latencyTable(ascending(values));
    expect(table).toEqual({
      count: 1000,
      min: 1,
      mean: 500.5,
      p50: 500.5,
      p90: 900.1,
      p95: 950.05,
      p99: 990.01,
      p999: 999.001,
      max: 1000,
    });
    expect(latencyTable(ascending(values.slice(1)))?.p999).toBeNull();
  });
});

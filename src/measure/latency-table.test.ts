import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ascending, histogramTable, latencyTable, mergeHistograms, percentile } from './latency-table.ts';

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

describe('histogramTable', () => {
  it('equals the table of the values it stands for', () => {
    const bucket = fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(fc.array(bucket, { minLength: 1, maxLength: 30 }), (buckets) => {
        const histogram = mergeHistograms(buckets.map((one) => [one]));
        const values = buckets.flatMap(([bound, times]) => Array.from({ length: times }, () => bound));
        expect(histogramTable(histogram)).toEqual(latencyTable(ascending(values)));
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it('is absent for no gap', () => {
    expect(histogramTable(mergeHistograms([]))).toBeNull();
  });
});

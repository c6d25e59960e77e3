import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ascending, latencyTable } from './latency-table.ts';
import { type Gaps, itlTable } from './stream-figures.ts';

/** The row of a stream with these gaps whose end came `late` ms after its last content, in the load engine's buckets. */
function stream(gaps: readonly number[], late = 0): Gaps {
  const counts = new Map<number, number>();
  for (const gap of gaps) {
    const bucket = Math.max(0, Math.ceil(Math.log2(gap / 0.01) * 16));
    const bound = gap === 0 ? 0 : Number((0.01 * 2 ** (bucket / 16)).toPrecision(5));
    counts.set(bound, (counts.get(bound) ?? 0) + 1);
  }
  return {
    itl: gaps.length === 0 ? null : [...counts].sort(([left], [right]) => left - right),
    max_gap_ms: gaps.length === 0 ? null : Math.max(...gaps),
    ttft_ms: 100,
    end_ms: 100 + gaps.reduce((sum, gap) => sum + gap, 0) + late,
  };
}

const even = (count: number, gap: number) => Array.from({ length: count }, () => gap);

describe('itlTable', () => {
  it('has the exact mean where the end came with the last content, and the exact maximum', () => {
    const table = itlTable([stream([...even(9, 20.1), 39.6]), stream(even(10, 20.1))]);
    expect(table).toMatchObject({ count: 20, mean: 21.075, max: 39.6 });
  });

  it('takes no time after the last content for a gap', () => {
    const mean = itlTable([stream(even(10, 20.1), 500)])?.mean ?? 0;
    expect(mean).toBeGreaterThan(19.6);
    expect(mean).toBeLessThan(20.5);
  });

  it('knows the time in which events came together as no gap', () => {
    expect(itlTable([stream([0, 0, 0, 8])])).toMatchObject({ count: 4, min: 0, p50: 0, mean: 2, max: 8 });
  });

  it('places percentiles inside the buckets: near those of the gaps, and on both sides of them', () => {
    const gaps = Array.from({ length: 20_000 }, (_, index) => 18 + (4 * ((index * 7919) % 20_000)) / 20_000);
    const [table, exact] = [itlTable([stream(gaps)]), latencyTable(ascending(gaps))];
    for (const key of ['p50', 'p90', 'p95', 'p99'] as const) {
      expect(Math.abs((table?.[key] ?? 0) / (exact?.[key] ?? 1) - 1)).toBeLessThan(0.01);
    }
  });

  it('has each figure within a bucket of that of the gaps, none above the longest one', () => {
    const gap = fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 40_000, noNaN: true }));
    const lists = fc.array(fc.array(gap, { maxLength: 40 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lists, fc.integer({ min: 0, max: 300 }), (streams, late) => {
        const table = itlTable(streams.map((gaps) => stream(gaps, late)));
        const exact = latencyTable(ascending(streams.flat()));
        expect(table === null).toBe(exact === null);
        if (table === null || exact === null) return;
        expect([table.count, table.max]).toEqual([exact.count, exact.max]);
        for (const key of ['min', 'mean', 'p50', 'p90', 'p95', 'p99'] as const) {
          expect(table[key]).toBeLessThanOrEqual(exact.max);
          expect(Math.abs(table[key] - exact[key])).toBeLessThanOrEqual(0.012 + exact[key] * 0.0443);
        }
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it('is absent for no gap', () => {
    expect(itlTable([stream([])])).toBeNull();
  });
});

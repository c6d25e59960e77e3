import { describe, expect, test } from 'vitest';
import { GapHistogram } from './gap-histogram.ts';
import { quantile } from './statistics.ts';

/** Gaps around 20 ms with a long tail, the same each time. */
const GAPS = Array.from({ length: 20_000 }, (_, index) => {
  const share = ((index * 7919) % 20_000) / 20_000;
  return 18 + 4 * share + (share > 0.98 ? (share - 0.98) * 2000 : 0);
});

describe('GapHistogram', () => {
  test.each([0.1, 0.5, 0.9, 0.99])('its quantile %d is near the exact one', (q) => {
    const histogram = new GapHistogram();
    for (const gap of GAPS) histogram.add(gap);
    const exact = quantile(GAPS, q) ?? 0;
    expect(Math.abs((histogram.quantile(q) ?? 0) - exact)).toBeLessThan(exact * 0.02);
  });

  test('pairs of a row fall into the bucket of the gaps they were made of', () => {
    const [gaps, pairs] = [new GapHistogram(), new GapHistogram()];
    for (let index = 0; index < 3; index += 1) gaps.add(20.1);
    gaps.add(0);
    // The upper bound of the bucket that holds 20.1, as the ledger rounds it: 0.01 × 2^(176/16) = 20.48.
    pairs.addPairs([
      [0, 1],
      [20.48, 3],
    ]);
    expect(pairs.total).toBe(4);
    for (const q of [0.25, 0.5, 1]) expect(pairs.quantile(q)).toBe(gaps.quantile(q));
    expect(pairs.quantile(0.25)).toBe(0);
  });

  test('an empty one has no quantile', () => expect(new GapHistogram().quantile(0.5)).toBeNull());
});

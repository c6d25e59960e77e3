import { expect, test } from 'vitest';
import { GapHistogram } from './stream-reading.ts';

test('gaps stand under the bounds of the load engine', () => {
  const gaps = new GapHistogram();
  expect([gaps.sparse(), gaps.maxMs]).toEqual([null, null]);
  for (const gap of [0, 0.001, 0.01, 0.02, 0.0200001, 10.24, 12, 12]) gaps.add(gap);
  expect(gaps.sparse()).toEqual([
    [0, 1],
    [0.01, 2],
    [0.02, 1],
    [0.020885, 1],
    [10.24, 1],
    [12.177, 2],
  ]);
  expect(gaps.maxMs).toBe(12);
});

test('no bound is more than 4.5 % above its gap', () => {
  for (let gap = 0.011; gap < 100_000; gap *= 1.37) {
    const gaps = new GapHistogram();
    gaps.add(gap);
    const [bound] = gaps.sparse()?.[0] ?? expect.fail();
    expect(bound / gap).toBeGreaterThan(0.9999);
    expect(bound / gap).toBeLessThan(1.045);
  }
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededIndex, seededSize } from './seeded-order.ts';

const numbers = (length: number): number[] => Array.from({ length }, (_, n) => n);

describe('seededIndex', () => {
  it('gives every entry once in each block, whatever the length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_100 }), fc.nat(1_000), fc.nat(), (length, block, seed) => {
        const found = numbers(length).map((n) => seededIndex(length, block * length + n, 'key', seed));
        expect([...found].sort((a, b) => a - b)).toEqual(numbers(length));
      }),
      { numRuns: 60 },
    );
  });

  it('orders each block in another way, and each key', () => {
    const order = (block: number, key: string) =>
      numbers(64)
        .map((n) => seededIndex(64, 64 * block + n, key))
        .join();
    const orders = [order(0, 'a'), order(1, 'a'), order(2, 'a'), order(0, 'b'), order(1, 'b')];
    expect(new Set(orders).size).toBe(5);
  });

  it('puts no entry at one place more often than chance does', () => {
    // 7 entries, 2,000 blocks: about 286 times each, with a deviation of 15.6.
    for (let place = 0; place < 7; place += 1) {
      const counts = numbers(7).map(() => 0);
      for (let block = 0; block < 2_000; block += 1) {
        const index = seededIndex(7, 7 * block + place, 'spread');
        counts[index] = (counts[index] ?? 0) + 1;
      }
      for (const count of counts) expect(Math.abs(count - 286)).toBeLessThan(90);
    }
  });
});

it('draws sizes whose distribution is exact over each block', () => {
  const table = [3, 3, 5, 8, 13];
  for (const block of [0, 1, 77]) {
    const sizes = numbers(5).map((n) => seededSize(table, 5 * block + n, 'max_tokens', 1, 'chat'));
    expect(sizes.sort((a, b) => a - b)).toEqual(table);
  }
  expect(seededSize(40, 12, 'any')).toBe(40);
});

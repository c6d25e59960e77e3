import { describe, expect, test } from 'vitest';
import { searchMost } from './search.ts';

const range = { first: 1000, step: 250, limit: 8000 };

async function search(capacity: number): Promise<{ most: number | null; levels: number[] }> {
  const found = await searchMost(range, async (level) => ({ held: level <= capacity, result: null }));
  return { most: found.most, levels: found.probes.map(({ level }) => level) };
}

describe('searchMost', () => {
  test.each([
    [4100, 4000],
    [3000, 3000],
    [1000, 1000],
    [999, 750],
    [8000, 8000],
    [100_000, 8000],
    [0, null],
  ])('of a capacity of %d it finds %s', async (capacity, most) =>
    expect((await search(capacity)).most).toBe(most),
  );

  test('no level is probed that is below one seen to hold or above one seen to fail twice', async () => {
    const { levels } = await search(4100);
    expect(levels).toEqual([1000, 1500, 2250, 3500, 5250, 5250, 4500, 4500, 4000, 4250, 4250]);
  });

  test('a level that fails once and then holds is held', async () => {
    let failed = false;
    const found = await searchMost({ first: 1000, step: 1000, limit: 1000 }, async () => {
      const held = failed;
      failed = true;
      return { held, result: null };
    });
    expect(found.most).toBe(1000);
  });
});

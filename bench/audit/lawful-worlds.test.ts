import { expect, test } from 'vitest';
import {
  isLawful,
  lawfulPairs,
  namesOf,
  pairWorlds,
  randomWorld,
  readingPoints,
} from './lawful-worlds.test-support.ts';

test('every lawful pair of readings stands together in one of few worlds', () => {
  const worlds = pairWorlds(1);
  const covered = new Set(worlds.flatMap(namesOf));
  const pairs = lawfulPairs();
  expect(pairs.size).toBeGreaterThan(10_000);
  expect([...pairs.keys()].filter((name) => !covered.has(name))).toEqual([]);
  expect(worlds.every(isLawful)).toBe(true);
  expect(worlds.every((world) => Object.keys(world).length === readingPoints().size)).toBe(true);
  expect(worlds.length).toBeLessThanOrEqual(110);
  expect(pairWorlds(1)).toEqual(worlds);
});

test('a pair that excludes one another is no pair', () => {
  expect(lawfulPairs().has('amount=gross unused_reserve=zeroed')).toBe(false);
  expect(lawfulPairs().has('amount=gross unused_reserve=refunded')).toBe(true);
});

test('the seed draws a world, and the same one again', () => {
  expect(randomWorld(3)).toEqual(randomWorld(3));
  expect(new Set([1, 2, 3, 4].map((seed) => JSON.stringify(randomWorld(seed)))).size).toBe(4);
});

import { expect, test } from 'vitest';
import { jsonOf } from './json-of.ts';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('a text is read up to 1,000 levels, whatever brackets its texts hold', () => {
  expect(jsonOf(nested(1_000))).toBeDefined();
  expect(jsonOf(nested(1_001))).toBeUndefined();
  expect(jsonOf(JSON.stringify(nested(1_001)))).toBe(nested(1_001));
  expect(jsonOf('{')).toBeUndefined();
});

test('five million levels are refused before they are parsed', () => {
  const hostile = nested(5_000_000);
  const before = process.cpuUsage();
  expect(jsonOf(hostile)).toBeUndefined();
  expect(process.cpuUsage(before).user).toBeLessThan(300_000);
});

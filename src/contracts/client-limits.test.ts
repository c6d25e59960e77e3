import { expect, it } from 'vitest';
import { withoutLateSeconds } from './client-limits.ts';

const seconds = (quiet: number, late: number): number[] => [
  ...Array.from({ length: quiet }, () => 1),
  ...Array.from({ length: late }, () => 62),
];

it.each([
  [1, 1, 1],
  [4, 1, 1],
  [3, 2, 62],
  [99, 1, 1],
  [98, 2, 62],
  [197, 2, 62],
  [198, 2, 1],
  [995, 10, 1],
  [994, 11, 62],
])('of %i quiet seconds and %i late ones what is judged is %i ms', (quiet, late, judged) => {
  expect(withoutLateSeconds(seconds(quiet, late))).toBe(judged);
});

it('forgives no single reading, and knows none of nothing', () => {
  expect(withoutLateSeconds([62])).toBe(62);
  expect(withoutLateSeconds([])).toBeNull();
});

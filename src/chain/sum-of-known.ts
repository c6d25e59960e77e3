import type { PicoUsd } from '../core/amount.ts';

/** The sum of what is known: how many amounts are not is told beside it. */
export function sumOfKnown(amounts: Iterable<PicoUsd | null>): PicoUsd {
  let total = 0n;
  for (const amount of amounts) total += amount ?? 0n;
  return total;
}

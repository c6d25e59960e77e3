import { parseNumberText } from '../../core/decimal.ts';

/** Beyond it the rounding of a double cannot be told from the answer, and powers are too long to be exact. */
const EXACT_UP_TO = 100_000;

/**
 * Calls that show that a percentile is within its bound where none of them is over it: of a target that misses it, so many
 * are all within in less than 5 % of cases. The least n with (percentile / 100)ⁿ < 1/20, by the exact binomial test.
 */
export function decisiveCalls(percentile: number): number {
  const near = Math.ceil(Math.log(0.05) / Math.log(percentile / 100));
  if (near > EXACT_UP_TO) return near;
  let calls = Math.max(1, near - 1);
  while (!isDecisive(percentile, calls)) calls += 1;
  return calls;
}

function isDecisive(percentile: number, calls: number): boolean {
  const { digits, scale } = parseNumberText(String(percentile)) ?? { digits: 0n, scale: 0 };
  return 20n * digits ** BigInt(calls) < (100n * 10n ** BigInt(scale)) ** BigInt(calls);
}

import type { PicoUsd } from '../../../core/amount.ts';
import { sum } from '../../records/sum-amounts.ts';

/** Nine decimals. */
const SHARE_SCALE = 1_000_000_000n;

/**
 * Shares of a whole with nine decimals that sum to `of` (1 where it is not given), rounded down; what that leaves goes
 * to the largest, or to one so small that it would show as 0, so that nothing is made whole by rounding. Null where the
 * amounts sum to 0.
 */
export function sharesOf(amounts: readonly PicoUsd[], of = 1): readonly (number | null)[] {
  const total = sum(amounts);
  if (total === 0n) return amounts.map(() => null);
  const whole = BigInt(Math.round(of * Number(SHARE_SCALE)));
  const floors = amounts.map((amount) => (amount * whole) / total);
  const rest = whole - sum(floors);
  const smallest = floors.findIndex((floor, index) => floor === 0n && (amounts[index] ?? 0n) > 0n);
  const largest = floors.findIndex((floor) => floors.every((other) => other <= floor));
  const taker = smallest === -1 ? largest : smallest;
  return floors.map((floor, index) => Number(index === taker ? floor + rest : floor) / Number(SHARE_SCALE));
}

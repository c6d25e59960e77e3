import { type PicoUsd, parseAmount } from '../../src/core/amount.ts';
import type { Readings } from '../../src/gateway/readings/readings.ts';
import type { FiredFault } from '../../test/support/fault-corpus.ts';
import type { WorldPlan } from './call-world.ts';

/** What a charge can differ by where nobody tells its rounding: two units of the coarsest rule of this family. */
const UNTOLD: PicoUsd = 2_000_000n;

/** By how much a delta may miss the journal's: 0 where the book tells its rounding. */
export function slackOf({ book_declares, rounding }: Readings): PicoUsd {
  const [, decimals] = /_(\d{1,2})$/.exec(rounding) ?? [];
  const quantum = decimals === undefined ? UNTOLD : 10n ** BigInt(12 - Number(decimals));
  return book_declares ? 0n : quantum > UNTOLD ? quantum : UNTOLD;
}

/**
 * Why a fault that its kind makes decidable is not, for what this one charge or world is; null where it can be told.
 */
export function undecidableUnder(
  { readings, honest }: Pick<WorldPlan, 'readings' | 'honest'>,
  { delta = '0' }: FiredFault,
): string | null {
  const wrongBy = parseAmount(delta.replace('-', '')) ?? 0n;
  if (wrongBy > 0n && wrongBy <= slackOf(readings)) return 'it is less than an untold rounding can come to';
  if (!readings.book_declares && honest === 0)
    return 'nothing tells the rounding: the book does not, and no call is charged rightly';
  return null;
}

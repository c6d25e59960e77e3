import { type PicoUsd, parseAmount } from '../../src/core/amount.ts';
import type { FiredFault } from '../../test/support/fault-corpus.ts';
import type { WorldPlan } from './call-world.ts';
import { type MixName, readingsOf } from './reading-mixes.ts';

/** What a charge can differ by where nobody tells its rounding: two units of the coarsest rule of this family. */
const UNTOLD: PicoUsd = 2_000_000n;

/** By how much a delta may miss the journal's: 0 where the book tells its rounding. */
export function slackOf(mix: MixName): PicoUsd {
  return readingsOf(mix).book_declares ? 0n : UNTOLD;
}

/**
 * Why a fault that its kind makes decidable is not, for what this one charge or world is; null where it can be told.
 */
export function undecidableUnder(
  { mix, honest }: Pick<WorldPlan, 'mix' | 'honest'>,
  { delta = '0' }: FiredFault,
): string | null {
  const wrongBy = parseAmount(delta.replace('-', '')) ?? 0n;
  if (wrongBy > 0n && wrongBy <= slackOf(mix)) return 'it is less than an untold rounding can come to';
  if (!readingsOf(mix).book_declares && honest === 0)
    return 'nothing tells the rounding: the book does not, and no call is charged rightly';
  return null;
}

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
 * Why a fault that can be decided under the gateway's own readings cannot be under these; null where it can. Each
 * follows from what the reading serves, not from what the auditor makes of it.
 */
export function undecidableUnder(
  { mix, honest }: Pick<WorldPlan, 'mix' | 'honest'>,
  { fault, parameters, delta = '0' }: FiredFault,
): string | null {
  const { book_declares, book_layout, values, request_id } = readingsOf(mix);
  if (request_id === 'errors_only') return 'no successful answer tells which record is its own';
  if (!book_declares && fault === 'bill.amount_rounding')
    return 'the book tells no rule of rounding that could be broken';
  const wrongBy = parseAmount(delta.replace('-', '')) ?? 0n;
  if (wrongBy > 0n && wrongBy <= slackOf(mix)) return 'it is less than an untold rounding can come to';
  if (!book_declares && honest === 0)
    return 'nothing tells the rounding: the book does not, and no call is charged rightly';
  if (book_layout !== 'plain' && parameters['variant'] === 'above_possible')
    return 'a book of this layout does not tell the longest output';
  if (values === 'other' && fault === 'bill.pending_to_unknown')
    return 'the status has a name that nobody has explained';
  return null;
}

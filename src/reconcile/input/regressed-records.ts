import type { PicoUsd } from '../../core/amount.ts';
import { contentOf, type ServedRecord } from '../records/served-record.ts';
import type { JudgedSweep } from './judged-sweep.ts';

type ChargeOf = (record: ServedRecord) => { readonly lo: PicoUsd; readonly hi: PicoUsd } | null;

/**
 * The final version of each record that a later read shows changed, by the record's key. A charge may still be given
 * back, in whatever words. What leaves the charge as it was, or lowers it, accuses nobody. `chargeOf` gives what a version charges.
 */
export function regressedRecords(
  { versions }: Pick<JudgedSweep, 'versions'>,
  chargeOf: ChargeOf,
): ReadonlyMap<string, ServedRecord> {
  const changed = new Map<string, ServedRecord>();
  for (const [key, history] of Map.groupBy(versions, (version) => version.key)) {
    const before = history.find((version, index) => {
      const after = history[index + 1];
      return after !== undefined && regressed(version, after, chargeOf);
    });
    if (before !== undefined) changed.set(key, before);
  }
  return changed;
}

function regressed(before: ServedRecord, after: ServedRecord, chargeOf: ChargeOf): boolean {
  if (before.role !== 'settled' && before.role !== 'refunded') return false;
  if (before.role === 'settled' && after.role === 'refunded') return false;
  // Which of two rows of one read came first cannot be told: the one that waits did.
  if (after.role === 'pending' && isOneRead(before, after)) return false;
  if (contentOf(before) === contentOf(after)) return false;
  // What waits again is held again, unless it is a failed call whose charge was given back.
  if (after.role === 'pending' && before.result === 'completed') return true;
  const [then, now] = [chargeOf(before), chargeOf(after)];
  return then === null || now === null || now.hi > then.lo;
}

/** True for two versions that one read served. */
export function isOneRead(before: ServedRecord, after: ServedRecord): boolean {
  return before.sweep === after.sweep && before.read_at === after.read_at;
}

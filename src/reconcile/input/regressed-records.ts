import { contentOf, type ServedRecord } from '../records/served-record.ts';
import type { JudgedSweep } from './judged-sweep.ts';

/**
 * The final version of each record that a later read shows changed, by the record's key. A settled record may still be
 * refunded; nothing else about a final record may change.
 */
export function regressedRecords({
  versions,
}: Pick<JudgedSweep, 'versions'>): ReadonlyMap<string, ServedRecord> {
  const changed = new Map<string, ServedRecord>();
  for (const [key, history] of Map.groupBy(versions, (version) => version.key)) {
    const before = history.find((version, index) => {
      const after = history[index + 1];
      return after !== undefined && regressed(version, after);
    });
    if (before !== undefined) changed.set(key, before);
  }
  return changed;
}

function regressed(before: ServedRecord, after: ServedRecord): boolean {
  if (before.role !== 'settled' && before.role !== 'refunded') return false;
  if (before.role === 'settled' && after.role === 'refunded') return false;
  // Which of two rows of one read came first cannot be told: the one that waits did.
  if (after.role === 'pending' && isOneRead(before, after)) return false;
  return contentOf(before) !== contentOf(after);
}

/** True for two versions that one read served. */
export function isOneRead(before: ServedRecord, after: ServedRecord): boolean {
  return before.sweep === after.sweep && before.read_at === after.read_at;
}

import type { ChargeRecord } from '../events/charge-record.ts';
import type { RecordStore } from './record-store.ts';

/** Records of a key with start ≤ created_at < end, oldest first. */
export function recordsBetween(
  store: RecordStore,
  keyFingerprint: string,
  start: number,
  end: number,
): readonly ChargeRecord[] {
  return [...store.newestFirst(keyFingerprint, { start, end, model: null, requestId: null }, null)].reverse();
}

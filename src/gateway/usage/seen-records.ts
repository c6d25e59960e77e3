import type { RecordSelection, RecordStore } from '../charging/record-store.ts';
import type { ChargeRecord } from '../events/charge-record.ts';
import type { UsageWays } from './usage-ways.ts';

/** All records that a read sees, newest first: those that it selects, unless a fault shows it others. */
export function seenRecords(
  store: RecordStore,
  keyFingerprint: string,
  selection: RecordSelection,
  { ways, later }: { readonly ways: UsageWays; readonly later: boolean },
): readonly ChargeRecord[] {
  const select = (wanted: RecordSelection): readonly ChargeRecord[] => [
    ...store.newestFirst(keyFingerprint, wanted, null),
  ];
  return ways.faults.through(select(selection), (hooks, records) =>
    hooks.records?.(records, { selection, later, select }),
  );
}

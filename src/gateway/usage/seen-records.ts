import type { RecordStore } from '../charging/record-store.ts';
import type { ChargeRecord } from '../events/charge-record.ts';
import type { UsageSelection } from '../formats/usage-query.ts';
import type { UsageWays } from './usage-ways.ts';

/** All records that a read sees, newest first: those that it selects, unless a fault shows it others. */
export function seenRecords(
  store: RecordStore,
  keyFingerprint: string,
  selection: UsageSelection,
  { ways, later }: { readonly ways: UsageWays; readonly later: boolean },
): readonly ChargeRecord[] {
  const select = (wanted: UsageSelection): readonly ChargeRecord[] => [
    ...store.newestFirst(keyFingerprint, wanted, null),
  ];
  return ways.faults.through(select(selection), (hooks, records) =>
    hooks.records?.(records, { selection, later, select }),
  );
}

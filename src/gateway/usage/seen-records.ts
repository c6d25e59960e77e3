import type { RecordSelection, RecordStore } from '../charging/record-store.ts';
import type { ChargeRecord } from '../events/charge-record.ts';
import { askedModel, keepsOtherRecords, keptRecords } from './kept-records.ts';
import type { UsageWays } from './usage-ways.ts';

/** All records that a read sees, newest first, as the readings keep them: those that it selects, unless a fault shows it others. */
export function seenRecords(
  store: RecordStore,
  keyFingerprint: string,
  selection: RecordSelection,
  { ways, later }: { readonly ways: UsageWays; readonly later: boolean },
): readonly ChargeRecord[] {
  const select = (wanted: RecordSelection): readonly ChargeRecord[] => [
    ...store.newestFirst(keyFingerprint, wanted, null),
  ];
  const asked = { ...selection, model: askedModel(selection.model, ways.readings) };
  const booked = ways.faults.through(select(asked), (hooks, records) =>
    hooks.records?.(records, { selection: asked, later, select }),
  );
  if (!keepsOtherRecords(ways.readings)) return booked;
  return booked.flatMap((record) => keptRecords(record, ways.readings));
}

import { z } from 'zod';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { UsageRecordLine } from '../../contracts/usage-lines.ts';
import type { PickedLine } from '../../ledger/store/pick-lines.ts';
import { jsonOf } from '../../text/json-of.ts';
import { recordLine } from '../load-reconcile-input.ts';

const named = z.looseObject({ request_id: z.string().min(1) });

/** What picked lines of records come to, as `restLedger` of those of calls; `note` is told request ids. */
export async function restRecords(
  lines: AsyncIterable<PickedLine>,
  note: (place: number, id: string | null) => void,
): Promise<readonly UsageRecordLine[]> {
  const records: UsageRecordLine[] = [];
  for await (const { text, place, wanted } of lines) {
    const parsed = recordLine.safeParse(jsonOf(text));
    // The loader tells the file and the line of what is damaged.
    if (!parsed.success) throw damagedRecord();
    if (!wanted) continue;
    const id = named.safeParse(parsed.data.record).data?.request_id;
    note(place, id === undefined ? null : JSON.stringify(id));
    records.push(parsed.data);
  }
  return records;
}

function damagedRecord(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'store_unreadable',
    message: 'a usage line is damaged',
    hint: '',
    exitCode: EXIT.internal,
  });
}

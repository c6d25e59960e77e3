import type { ChargeRecord } from './charge-record.ts';

/** Records of each key, oldest first by (created_at, id). */
export class RecordStore {
  readonly #byKey = new Map<string, ChargeRecord[]>();

  add(record: ChargeRecord): void {
    const records = this.#byKey.get(record.keyFingerprint);
    if (records === undefined) this.#byKey.set(record.keyFingerprint, [record]);
    else records.splice(positionOf(records, record.createdAt, record.id), 0, record);
  }

  /** Puts a new state in the place of the record of the same id. */
  replace(record: ChargeRecord): void {
    const records = this.#byKey.get(record.keyFingerprint) ?? [];
    const position = positionOf(records, record.createdAt, record.id);
    if (records[position]?.id !== record.id) throw new RangeError(`no record ${record.id} to replace`);
    records[position] = record;
  }

  /** Records with start ≤ created_at < end, oldest first. */
  between(keyFingerprint: string, start: number, end: number): readonly ChargeRecord[] {
    const records = this.#byKey.get(keyFingerprint) ?? [];
    return records.slice(positionOf(records, start, ''), positionOf(records, end, ''));
  }
}

/** Index of the first record at or after (createdAt, id). */
function positionOf(records: readonly ChargeRecord[], createdAt: number, id: string): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const record = records[middle];
    if (record === undefined) break;
    const before = record.createdAt < createdAt || (record.createdAt === createdAt && record.id < id);
    if (before) low = middle + 1;
    else high = middle;
  }
  return low;
}

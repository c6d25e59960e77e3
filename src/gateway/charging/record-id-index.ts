import { numberOfRecordId } from './record-id.ts';

/** How far a number may run ahead of those before it and still go into the list. */
const MOST_AHEAD = 1024;

/** The row of each record id: ids of a ledger count up, so that a list holds nearly all of them. */
export class RecordIdIndex {
  readonly #byNumber: (number | undefined)[] = [];
  readonly #others = new Map<string, number>();

  add(id: string, row: number): void {
    const number = numberOfRecordId(id);
    if (number < this.#byNumber.length + MOST_AHEAD) this.#byNumber[number] = row;
    else this.#others.set(id, row);
  }

  row(id: string): number | undefined {
    return this.#byNumber[numberOfRecordId(id)] ?? this.#others.get(id);
  }
}

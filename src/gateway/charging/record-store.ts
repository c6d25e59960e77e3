import type { ChargeRecord } from '../events/charge-record.ts';
import { RecordTable, type SortPlace, sortPlace } from './record-columns.ts';
import { numberOfRecordId } from './record-id.ts';
import { dayOf, RecordSeries } from './record-series.ts';
import { RecordSums, type SummedFigures } from './record-sums.ts';
import { RowIndex } from './row-index.ts';

/** How far a number may run ahead of those before it and still go into the list. */
const MOST_AHEAD = 1024;

/** The row of each record id: ids of a ledger count up, so that a list holds nearly all of them. */
class RecordIdIndex {
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

/** What of a key's records a read is about. */
export interface RecordSelection {
  /** Unix seconds; `end` is outside. */
  readonly start: number;
  readonly end: number;
  /** Exact model id, or null for all. */
  readonly model: string | null;
  /** The id of a request, or the receipt of a credit that paid for it (interface §4); null for all. */
  readonly requestId: string | null;
}

/** A record behind which a walk goes on. */
export interface RowPlace {
  readonly createdAt: number;
  readonly id: string;
}

/** The sums of one model on one UTC day, counted from the epoch. */
export interface ModelDaySums {
  readonly model: string;
  readonly day: number;
  readonly sums: RecordSums;
}

/** Records of one key, or those of it that one credit paid. */
class Shelf {
  readonly all: RecordSeries;
  readonly byModel = new Map<string, RecordSeries>();
  readonly #columns: RecordTable;

  constructor(columns: RecordTable) {
    this.#columns = columns;
    this.all = new RecordSeries(columns);
  }

  seriesOf(model: string): RecordSeries {
    const held = this.byModel.get(model);
    if (held !== undefined) return held;
    const made = new RecordSeries(this.#columns);
    this.byModel.set(model, made);
    return made;
  }

  add(row: number, { model }: ChargeRecord, figures: SummedFigures): void {
    this.all.add(row, figures);
    this.seriesOf(model).add(row, figures);
  }

  remove(row: number, { model }: ChargeRecord, figures: SummedFigures): void {
    this.all.remove(row, figures);
    this.seriesOf(model).remove(row, figures);
  }

  change(row: number, before: ChargeRecord, after: ChargeRecord): void {
    this.all.change(row, before, after);
    this.seriesOf(after.model).change(row, before, after);
  }
}

/**
 * The records of all keys. Pages and sums of any selection go through an index: reads take as long on a million
 * records as on a thousand.
 */
export class RecordStore {
  #changes = 0;
  readonly #columns = new RecordTable();
  readonly #byId = new RecordIdIndex();
  readonly #byRequest = new RowIndex((row) => this.#columns.requestIdOf(row));
  readonly #byKey = new Map<string, Shelf>();
  /** For each key, by receipt. */
  readonly #byReceipt = new Map<string, Map<string, Shelf>>();

  get size(): number {
    return this.#columns.size;
  }

  /** How often a record was added or replaced. */
  get changes(): number {
    return this.#changes;
  }

  add(record: ChargeRecord): void {
    this.#changes += 1;
    const row = this.#columns.push(record);
    this.#byId.add(record.id, row);
    this.#byRequest.add(record.requestId, row);
    for (const shelf of this.#shelvesOf(record)) shelf.add(row, record, record);
  }

  /** Puts a new state in the place of the record of the same id; throws RangeError when there is none. */
  replace(record: ChargeRecord): void {
    this.#changes += 1;
    const row = this.#byId.row(record.id);
    if (row === undefined) throw new RangeError(`no record ${record.id} to replace`);
    const before = this.#columns.get(row);
    if (isFiledAlike(before, record)) {
      this.#columns.set(row, record);
      for (const shelf of this.#shelvesOf(record)) shelf.change(row, before, record);
      return;
    }
    for (const shelf of this.#shelvesOf(before)) shelf.remove(row, before, before);
    this.#columns.set(row, record);
    for (const shelf of this.#shelvesOf(record)) shelf.add(row, record, record);
    if (before.requestId !== record.requestId) {
      this.#byRequest.remove(before.requestId, row);
      this.#byRequest.add(record.requestId, row);
    }
  }

  /** The record of this id, or null. */
  find(id: string): ChargeRecord | null {
    const row = this.#byId.row(id);
    return row === undefined ? null : this.#columns.get(row);
  }

  /** All records, in the order in which they came. */
  *all(): Generator<ChargeRecord, undefined> {
    for (let row = 0; row < this.#columns.size; row += 1) yield this.#columns.get(row);
    return undefined;
  }

  /** Selected records, newest first; with `before`, those that come after it in this order. */
  *newestFirst(
    keyFingerprint: string,
    selection: RecordSelection,
    before: RowPlace | null,
  ): Generator<ChargeRecord, undefined> {
    const end: SortPlace =
      before !== null && before.createdAt < selection.end
        ? sortPlace(before.createdAt, before.id)
        : sortPlace(selection.end, '');
    const rows =
      this.#ofRequest(keyFingerprint, selection)?.filter((row) => this.#columns.isBefore(row, end)) ??
      this.#series(keyFingerprint, selection)?.newestFirst(selection.start, end) ??
      [];
    for (const row of rows) yield this.#columns.get(row);
    return undefined;
  }

  /** The sums of the selected records by model and day; one model and day may come more than once. */
  *sums(keyFingerprint: string, selection: RecordSelection): Generator<ModelDaySums, undefined> {
    const { start, end, model } = selection;
    const ofRequest = this.#ofRequest(keyFingerprint, selection);
    if (ofRequest !== null) {
      for (const row of ofRequest) yield this.#sumsOfOne(row);
      return undefined;
    }
    for (const [name, series] of this.#shelf(keyFingerprint, selection)?.byModel ?? []) {
      if (model !== null && name !== model) continue;
      for (const [day, sums] of series.sumsByDay(start, end)) yield { model: name, day, sums };
    }
    return undefined;
  }

  /** Selected rows of the request that the selection names, newest first; null when it names none that is known. */
  #ofRequest(keyFingerprint: string, { start, end, model, requestId }: RecordSelection): number[] | null {
    if (requestId === null) return null;
    const rows = this.#byRequest.rows(requestId);
    if (rows.length === 0) return null;
    return rows
      .map((row) => ({ row, record: this.#columns.get(row) }))
      .filter(
        ({ record }) =>
          record.keyFingerprint === keyFingerprint &&
          record.createdAt >= start &&
          record.createdAt < end &&
          (model === null || record.model === model),
      )
      .sort((left, right) => (this.#columns.isBefore(left.row, this.#columns.placeOf(right.row)) ? 1 : -1))
      .map(({ row }) => row);
  }

  #series(keyFingerprint: string, selection: RecordSelection): RecordSeries | undefined {
    const shelf = this.#shelf(keyFingerprint, selection);
    return selection.model === null ? shelf?.all : shelf?.byModel.get(selection.model);
  }

  #shelf(keyFingerprint: string, { requestId }: RecordSelection): Shelf | undefined {
    if (requestId === null) return this.#byKey.get(keyFingerprint);
    return this.#byReceipt.get(keyFingerprint)?.get(requestId);
  }

  /** Every shelf on which the record stands, made where it is missing. */
  #shelvesOf({ keyFingerprint, receipts }: ChargeRecord): readonly Shelf[] {
    const ofKey = madeIn(this.#byKey, keyFingerprint, () => new Shelf(this.#columns));
    if (receipts.length === 0) return [ofKey];
    const ofReceipts = madeIn(this.#byReceipt, keyFingerprint, () => new Map<string, Shelf>());
    return [ofKey, ...receipts.map((receipt) => madeIn(ofReceipts, receipt, () => new Shelf(this.#columns)))];
  }

  #sumsOfOne(row: number): ModelDaySums {
    const { model, createdAt } = this.#columns.get(row);
    const sums = new RecordSums();
    sums.add(this.#columns.figuresOf(row));
    return { model, day: dayOf(createdAt), sums };
  }
}

/** Whether two states of a record stand on the same shelves at the same place. */
function isFiledAlike(left: ChargeRecord, right: ChargeRecord): boolean {
  return (
    left.createdAt === right.createdAt &&
    left.model === right.model &&
    left.keyFingerprint === right.keyFingerprint &&
    left.requestId === right.requestId &&
    left.receipts.join(' ') === right.receipts.join(' ')
  );
}

function madeIn<V>(map: Map<string, V>, name: string, make: () => V): V {
  const held = map.get(name);
  if (held !== undefined) return held;
  const made = make();
  map.set(name, made);
  return made;
}

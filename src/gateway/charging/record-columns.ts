import type { BillingStatus, CallResult, ChargeRecord } from '../events/charge-record.ts';
import { numberOfRecordId, recordId } from './record-id.ts';
import type { SummedFigures } from './record-sums.ts';

/** Values that many rows share, each kept once and named by its index. */
class ValueTable<V> {
  readonly #nameOf: (value: V) => string;
  readonly #indexes = new Map<string, number>();
  readonly #values: V[] = [];

  /** `nameOf`: equal for equal values only. */
  constructor(nameOf: (value: V) => string) {
    this.#nameOf = nameOf;
  }

  indexOf(value: V): number {
    const name = this.#nameOf(value);
    const held = this.#indexes.get(name);
    if (held !== undefined) return held;
    this.#indexes.set(name, this.#values.length);
    this.#values.push(value);
    return this.#values.length - 1;
  }

  /** Throws RangeError for an index that was never given. */
  at(index: number | undefined): V {
    const value = this.#values[index ?? -1];
    if (value === undefined) throw new RangeError(`no value has the index ${index}`);
    return value;
  }
}

const RESULTS: readonly CallResult[] = ['completed', 'failed', 'incomplete', 'cancelled', 'unknown'];
const STATUSES: readonly BillingStatus[] = ['pending', 'settled', 'refunded', 'unknown'];
const STATUS_SHIFT = 3;
const ESTIMATED = 1 << 6;
const BLOCK_ROWS = 4096;

/** A place in the order of usage reads. */
export interface SortPlace {
  readonly createdAt: number;
  /** The number in the record id; NaN where the id has another form. */
  readonly number: number;
  /** The record id; null where the number says it. */
  readonly id: string | null;
}

/** The place of a record of this time and id, or with the id '' that before all records of the time. */
export function sortPlace(createdAt: number, id: string): SortPlace {
  return { createdAt, number: numberOfRecordId(id), id };
}

/** The columns of 4,096 rows. */
class ColumnBlock {
  readonly createdAt = new Float64Array(BLOCK_ROWS);
  /** The number in the record id, NaN where the id has another form. */
  readonly idNumber = new Float64Array(BLOCK_ROWS);
  /** Amount, reserved and refunded of each row. */
  readonly amounts = new BigInt64Array(3 * BLOCK_ROWS);
  /** Input, output, cache read and cache write of each row. */
  readonly tokens = new Float64Array(4 * BLOCK_ROWS);
  /** Key, model, price book, its version and receipts of each row, as indexes into their tables. */
  readonly shared = new Uint32Array(5 * BLOCK_ROWS);
  /** Result, status and `estimated` in one byte. */
  readonly flags = new Uint8Array(BLOCK_ROWS);
  readonly requestIds: string[] = [];
}

/**
 * Records as columns: about 170 bytes each, where an object with its bigints and texts takes three times as much.
 * A row number is a record's place for good.
 */
export class RecordTable {
  readonly #blocks: ColumnBlock[] = [];
  readonly #texts = new ValueTable<string>((text) => text);
  readonly #receipts = new ValueTable<readonly string[]>((names) => names.join(' '));
  /** Ids of another form than the ledger's own. */
  readonly #oddIds = new Map<number, string>();
  #rows = 0;

  get size(): number {
    return this.#rows;
  }

  push(record: ChargeRecord): number {
    const row = this.#rows;
    if (row % BLOCK_ROWS === 0) this.#blocks.push(new ColumnBlock());
    this.set(row, record);
    this.#rows += 1;
    return row;
  }

  set(row: number, record: ChargeRecord): void {
    const block = this.#block(row);
    const at = row % BLOCK_ROWS;
    const number = numberOfRecordId(record.id);
    if (Number.isNaN(number)) this.#oddIds.set(row, record.id);
    block.idNumber[at] = number;
    block.createdAt[at] = record.createdAt;
    block.amounts[3 * at] = record.amount;
    block.amounts[3 * at + 1] = record.reserved;
    block.amounts[3 * at + 2] = record.refunded;
    block.tokens[4 * at] = record.usage.input;
    block.tokens[4 * at + 1] = record.usage.output;
    block.tokens[4 * at + 2] = record.usage.cacheRead;
    block.tokens[4 * at + 3] = record.usage.cacheWrite;
    block.shared[5 * at] = this.#texts.indexOf(record.keyFingerprint);
    block.shared[5 * at + 1] = this.#texts.indexOf(record.model);
    block.shared[5 * at + 2] = this.#texts.indexOf(record.pricebookId);
    block.shared[5 * at + 3] = this.#texts.indexOf(record.pricingVersion);
    block.shared[5 * at + 4] = this.#receipts.indexOf(record.receipts);
    block.flags[at] =
      RESULTS.indexOf(record.result) |
      (STATUSES.indexOf(record.status) << STATUS_SHIFT) |
      (record.estimated ? ESTIMATED : 0);
    block.requestIds[at] = record.requestId;
  }

  get(row: number): ChargeRecord {
    const block = this.#block(row);
    const at = row % BLOCK_ROWS;
    const flags = block.flags[at] ?? 0;
    return {
      id: this.idOf(row),
      requestId: block.requestIds[at] ?? '',
      createdAt: block.createdAt[at] ?? 0,
      keyFingerprint: this.#texts.at(block.shared[5 * at]),
      model: this.#texts.at(block.shared[5 * at + 1]),
      result: RESULTS[flags & 7] ?? 'unknown',
      status: this.statusOf(row),
      amount: block.amounts[3 * at] ?? 0n,
      reserved: block.amounts[3 * at + 1] ?? 0n,
      refunded: block.amounts[3 * at + 2] ?? 0n,
      usage: {
        input: block.tokens[4 * at] ?? 0,
        output: block.tokens[4 * at + 1] ?? 0,
        cacheRead: block.tokens[4 * at + 2] ?? 0,
        cacheWrite: block.tokens[4 * at + 3] ?? 0,
      },
      estimated: (flags & ESTIMATED) !== 0,
      pricebookId: this.#texts.at(block.shared[5 * at + 2]),
      pricingVersion: this.#texts.at(block.shared[5 * at + 3]),
      receipts: this.#receipts.at(block.shared[5 * at + 4]),
    };
  }

  createdAtOf(row: number): number {
    return this.#block(row).createdAt[row % BLOCK_ROWS] ?? 0;
  }

  idOf(row: number): string {
    const number = this.#idNumberOf(row);
    return Number.isNaN(number) ? (this.#oddIds.get(row) ?? '') : recordId(number);
  }

  requestIdOf(row: number): string {
    return this.#block(row).requestIds[row % BLOCK_ROWS] ?? '';
  }

  statusOf(row: number): BillingStatus {
    const flags = this.#block(row).flags[row % BLOCK_ROWS] ?? 0;
    return STATUSES[(flags >> STATUS_SHIFT) & 7] ?? 'unknown';
  }

  /** What the sums of a row go by, without the rest of its record. */
  figuresOf(row: number): SummedFigures {
    const { amounts } = this.#block(row);
    const at = 3 * (row % BLOCK_ROWS);
    return {
      status: this.statusOf(row),
      amount: amounts[at] ?? 0n,
      reserved: amounts[at + 1] ?? 0n,
      refunded: amounts[at + 2] ?? 0n,
    };
  }

  placeOf(row: number): SortPlace {
    const number = this.#idNumberOf(row);
    return { createdAt: this.createdAtOf(row), number, id: Number.isNaN(number) ? this.idOf(row) : null };
  }

  /** Whether the row comes before a place in the order of usage reads: by created_at, then by id. */
  isBefore(row: number, place: SortPlace): boolean {
    const own = this.createdAtOf(row);
    if (own !== place.createdAt) return own < place.createdAt;
    const ownNumber = this.#idNumberOf(row);
    // Ids of the ledger have a fixed width, so that their numbers order as their texts do.
    if (!Number.isNaN(ownNumber) && !Number.isNaN(place.number)) return ownNumber < place.number;
    return this.idOf(row) < (place.id ?? recordId(place.number));
  }

  #idNumberOf(row: number): number {
    return this.#block(row).idNumber[row % BLOCK_ROWS] ?? Number.NaN;
  }

  #block(row: number): ColumnBlock {
    const block = this.#blocks[Math.floor(row / BLOCK_ROWS)];
    if (block === undefined) throw new RangeError(`no record in row ${row}`);
    return block;
  }
}

/** Throws RangeError for an amount that does not fit into 64 bits (9.2 million USD). */
export function requireStorable({ amount, reserved, refunded }: SummedFigures): void {
  for (const figure of [amount, reserved, refunded]) {
    if (BigInt.asIntN(64, figure) === figure) continue;
    throw new RangeError(`expected an amount of at most 9.2 million USD, found ${figure} x 10^-12 USD`);
  }
}

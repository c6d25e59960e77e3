import { z } from 'zod';
import type { UsageTotalsLine } from '../../contracts/usage-lines.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { utcDay } from '../../core/time.ts';
import type { AcceptedRecords } from './accepted-sums.ts';
import { amountField, type ServedRecord } from './served-record.ts';
import { isNamedStatus } from './status-role.ts';

export const FIGURES = ['settled', 'pending', 'refunded', 'records', 'unknown_records'] as const;
export type Figure = (typeof FIGURES)[number];

/** The five figures, amounts in 10⁻¹² USD; null where one could not be read. */
export type TotalFigures = Readonly<Record<Figure, bigint | null>>;

export interface TotalsFigures {
  readonly total: TotalFigures;
  /** Null where they could not be read. */
  readonly by_model: ReadonlyMap<string, TotalFigures> | null;
  readonly daily: ReadonlyMap<string, TotalFigures> | null;
  /** Names of fields that are missing or malformed. */
  readonly unreadable: readonly string[];
  readonly currencies: readonly string[];
}

/** What records sum to at their lower or upper bounds: these differ only by amounts of more than 12 decimals. */
export interface FigureSums {
  readonly total: TotalFigures;
  readonly by_model: ReadonlyMap<string, TotalFigures>;
  readonly daily: ReadonlyMap<string, TotalFigures>;
}

export const NO_FIGURES: TotalFigures = {
  settled: 0n,
  pending: 0n,
  refunded: 0n,
  records: 0n,
  unknown_records: 0n,
};

/** Fields of totals by which the five figures are served. */
const FIELD_OF: Readonly<Record<Figure, string>> = {
  settled: 'settled_amount',
  pending: 'pending_amount',
  refunded: 'refunded_amount',
  records: 'records',
  unknown_records: 'unknown_records',
};

const anyObject = z.record(z.string(), z.unknown());

/** The totals of one sweep over all its windows, with the fields that are missing or not of the documented form. */
export function servedTotals(lines: readonly UsageTotalsLine[]): TotalsFigures {
  let total = NO_FIGURES;
  const unreadable = new Set<string>();
  const currencies = new Set<string>();
  const partsOf = { by_model: new Map<string, TotalFigures>(), daily: new Map<string, TotalFigures>() };
  for (const line of lines) {
    const parsed = anyObject.safeParse(line.totals);
    if (!parsed.success) unreadable.add('body');
    const body = parsed.success ? parsed.data : {};
    const own = figuresOf(body, '');
    total = plus(total, own);
    if (!parsed.success) continue;
    if (typeof body['currency'] === 'string') currencies.add(body['currency']);
    else unreadable.add('currency');
    readParts(body, 'by_model', 'model');
    readParts(body, 'daily', 'date');
  }
  const whole = (name: 'by_model' | 'daily'): ReadonlyMap<string, TotalFigures> | null =>
    unreadable.has(name) || unreadable.has('body') ? null : partsOf[name];
  return {
    total,
    by_model: whole('by_model'),
    daily: whole('daily'),
    unreadable: [...unreadable].sort(),
    currencies: [...currencies].sort(),
  };

  function readParts(
    body: Readonly<Record<string, unknown>>,
    name: 'by_model' | 'daily',
    label: string,
  ): void {
    const parsed = z.array(anyObject.and(z.looseObject({ [label]: z.string() }))).safeParse(body[name]);
    if (!parsed.success) {
      unreadable.add(name);
      return;
    }
    for (const entry of parsed.data) add(partsOf[name], String(entry[label]), figuresOf(entry, `${name}.`));
  }

  function figuresOf(entry: Readonly<Record<string, unknown>>, place: string): TotalFigures {
    function read(figure: Figure, readAs: (value: unknown) => bigint | null): bigint | null {
      const value = readAs(entry[FIELD_OF[figure]]);
      // A body that is no object is told once, not field by field.
      if (value === null && !unreadable.has('body')) unreadable.add(`${place}${FIELD_OF[figure]}`);
      return value;
    }
    return {
      settled: read('settled', usdOf),
      pending: read('pending', usdOf),
      refunded: read('refunded', usdOf),
      records: read('records', countOf),
      unknown_records: read('unknown_records', countOf),
    };
  }
}

/** A number, or a text with an exponent, has a value here as in a record. */
function usdOf(value: unknown): PicoUsd | null {
  return amountField(value).exact;
}

function countOf(value: unknown): bigint | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : null;
}

/**
 * How the sums of records are formed where the interface does not say: `pending` from reserves or amounts, `refunded`
 * over all records or only those with that status, `settled` over settled or all final records, from their amounts as
 * told, less what was refunded, or with it.
 */
export interface SumReading {
  readonly settled:
    | 'amount'
    | 'amount_less_refunded'
    | 'amount_and_refunded'
    | 'final_amount'
    | 'final_less_refunded'
    | 'final_and_refunded';
  readonly pending: 'reserved' | 'amount';
  readonly refunded: 'all' | 'refunded_only';
}

/** Records that were summed already: all of them settled, their amounts of at most 12 decimals. */
export type SummedRecords = Pick<AcceptedRecords, 'model' | 'day' | 'records' | 'amount' | 'refunded'>;

export function sumRecords(
  {
    records,
    summed,
  }: { readonly records: readonly ServedRecord[]; readonly summed: readonly SummedRecords[] },
  reading: SumReading,
  bound: 'lo' | 'hi',
): FigureSums {
  let total = NO_FIGURES;
  const byModel = new Map<string, TotalFigures>();
  const daily = new Map<string, TotalFigures>();
  for (const record of records) {
    const own = figuresOfRecord(record, reading, bound);
    total = plus(total, own);
    add(byModel, record.model, own);
    if (record.created_at !== null) add(daily, utcDay(record.created_at), own);
  }
  for (const part of summed) {
    const own = figuresOfSum(part, reading);
    total = plus(total, own);
    add(byModel, part.model, own);
    add(daily, part.day, own);
  }
  return { total, by_model: byModel, daily };
}

function figuresOfSum({ records, amount, refunded }: SummedRecords, reading: SumReading): TotalFigures {
  return {
    settled: readAmount(reading, amount, { less: refunded, more: refunded }),
    pending: 0n,
    refunded: reading.refunded === 'all' ? refunded : 0n,
    records: BigInt(records),
    unknown_records: 0n,
  };
}

export function sumFigures(parts: Iterable<TotalFigures>): TotalFigures {
  let sum = NO_FIGURES;
  for (const part of parts) sum = plus(sum, part);
  return sum;
}

function figuresOfRecord(record: ServedRecord, reading: SumReading, bound: 'lo' | 'hi'): TotalFigures {
  const other = bound === 'lo' ? 'hi' : 'lo';
  const { role: status, amount, reserved, refunded } = record;
  const counted = reading.refunded === 'all' || status === 'refunded';
  return {
    settled: isSettled(record, reading)
      ? readAmount(reading, amount[bound], { less: refunded[other], more: refunded[bound] })
      : 0n,
    pending: status !== 'pending' ? 0n : reading.pending === 'reserved' ? reserved[bound] : amount[bound],
    refunded: counted ? refunded[bound] : 0n,
    records: 1n,
    unknown_records: mayBeUnknown(record, bound) ? 1n : 0n,
  };
}

function readAmount(
  { settled }: SumReading,
  amount: PicoUsd | null,
  { less, more }: { readonly less: PicoUsd | null; readonly more: PicoUsd | null },
): PicoUsd | null {
  if (settled.endsWith('amount')) return amount;
  return settled.endsWith('_less_refunded') ? minus(amount, less) : sum(amount, more);
}

function isSettled({ role }: ServedRecord, { settled }: SumReading): boolean {
  return role === 'settled' || (settled.startsWith('final') && role !== 'pending');
}

/** Whether a target counts a word of its own as unknown cannot be told. */
function mayBeUnknown({ role, billing_status }: ServedRecord, bound: 'lo' | 'hi'): boolean {
  if (role !== 'unknown' && role !== 'waived') return false;
  return bound === 'hi' || isNamedStatus(billing_status);
}

function add(into: Map<string, TotalFigures>, key: string, figures: TotalFigures): void {
  into.set(key, plus(into.get(key) ?? NO_FIGURES, figures));
}

function plus(left: TotalFigures, right: TotalFigures): TotalFigures {
  return {
    settled: sum(left.settled, right.settled),
    pending: sum(left.pending, right.pending),
    refunded: sum(left.refunded, right.refunded),
    records: sum(left.records, right.records),
    unknown_records: sum(left.unknown_records, right.unknown_records),
  };
}

function sum(left: PicoUsd | null, right: PicoUsd | null): PicoUsd | null {
  return left === null || right === null ? null : left + right;
}

function minus(left: PicoUsd | null, right: PicoUsd | null): PicoUsd | null {
  return left === null || right === null ? null : left - right;
}

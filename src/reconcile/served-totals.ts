import { z } from 'zod';
import { type PicoUsd, parseAmount } from '../core/amount.ts';
import { utcDay } from '../core/time.ts';
import type { UsageTotalsLine } from '../core/usage-lines.ts';
import type { ServedRecord } from './served-record.ts';

export const FIGURES = ['settled', 'pending', 'refunded', 'records', 'unknown_records'] as const;
export type Figure = (typeof FIGURES)[number];

/** The five figures, amounts in 10⁻¹² USD; null where one could not be read. */
export type Figures = Readonly<Record<Figure, bigint | null>>;

export interface TotalsFigures {
  readonly total: Figures;
  readonly by_model: ReadonlyMap<string, Figures>;
  readonly daily: ReadonlyMap<string, Figures>;
}

export const NO_FIGURES: Figures = {
  settled: 0n,
  pending: 0n,
  refunded: 0n,
  records: 0n,
  unknown_records: 0n,
};

const sums = z.looseObject({
  settled_amount: z.string(),
  pending_amount: z.string(),
  refunded_amount: z.string(),
  records: z.number().int(),
  unknown_records: z.number().int(),
});
const totals = sums.extend({
  by_model: z.array(sums.extend({ model: z.string() })),
  daily: z.array(sums.extend({ date: z.string() })),
});

/** The totals of one sweep over all its windows; null where a body is not of the documented form. */
export function servedTotals(lines: readonly UsageTotalsLine[]): TotalsFigures | null {
  let total = NO_FIGURES;
  const byModel = new Map<string, Figures>();
  const daily = new Map<string, Figures>();
  for (const line of lines) {
    const parsed = totals.safeParse(line.totals);
    if (!parsed.success) return null;
    total = plus(total, figuresOf(parsed.data));
    for (const entry of parsed.data.by_model) add(byModel, entry.model, figuresOf(entry));
    for (const entry of parsed.data.daily) add(daily, entry.date, figuresOf(entry));
  }
  return { total, by_model: byModel, daily };
}

/**
 * How the sums of records are formed where the interface does not say: `pending` from reserves or amounts, `refunded`
 * over all records or only those with that status, `settled` before or after refunds.
 */
export interface SumReading {
  readonly settled: 'amount' | 'amount_less_refunded';
  readonly pending: 'reserved' | 'amount';
  readonly refunded: 'all' | 'refunded_only';
}

export function sumRecords(records: readonly ServedRecord[], reading: SumReading): TotalsFigures {
  let total = NO_FIGURES;
  const byModel = new Map<string, Figures>();
  const daily = new Map<string, Figures>();
  for (const record of records) {
    const own = figuresOfRecord(record, reading);
    total = plus(total, own);
    add(byModel, record.model, own);
    if (record.created_at !== null) add(daily, utcDay(record.created_at), own);
  }
  return { total, by_model: byModel, daily };
}

export function sumFigures(parts: Iterable<Figures>): Figures {
  let sum = NO_FIGURES;
  for (const part of parts) sum = plus(sum, part);
  return sum;
}

function figuresOfRecord(record: ServedRecord, reading: SumReading): Figures {
  const { billing_status: status, amount, reserved, refunded } = record;
  const counted = reading.refunded === 'all' || status === 'refunded';
  return {
    settled:
      status !== 'settled'
        ? 0n
        : reading.settled === 'amount'
          ? amount.exact
          : minus(amount.exact, refunded.exact),
    pending: status !== 'pending' ? 0n : reading.pending === 'reserved' ? reserved.exact : amount.exact,
    refunded: counted ? refunded.exact : 0n,
    records: 1n,
    unknown_records: status === 'unknown' ? 1n : 0n,
  };
}

function figuresOf(entry: z.infer<typeof sums>): Figures {
  return {
    settled: parseAmount(entry.settled_amount),
    pending: parseAmount(entry.pending_amount),
    refunded: parseAmount(entry.refunded_amount),
    records: BigInt(entry.records),
    unknown_records: BigInt(entry.unknown_records),
  };
}

function add(into: Map<string, Figures>, key: string, figures: Figures): void {
  into.set(key, plus(into.get(key) ?? NO_FIGURES, figures));
}

function plus(left: Figures, right: Figures): Figures {
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

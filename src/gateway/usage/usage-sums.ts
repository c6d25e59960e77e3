import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import type { UsageSums, UsageTotals } from '../../core/interface.ts';
import { utcDay } from '../../core/time.ts';
import type { ChargeRecord } from '../charging/charge-record.ts';
import type { UsageSelection } from './usage-query.ts';

interface RunningSums {
  settled: PicoUsd;
  pending: PicoUsd;
  refunded: PicoUsd;
  records: number;
  unknown: number;
}

/** Totals of the selected records: always their sum, never priced anew. */
export function usageTotals(records: readonly ChargeRecord[], { start, end }: UsageSelection): UsageTotals {
  const total = emptySums();
  const byModel = new Map<string, RunningSums>();
  const byDay = new Map<string, RunningSums>();
  for (const record of records) {
    for (const sums of [total, sumsOf(byModel, record.model), sumsOf(byDay, utcDay(record.createdAt))]) {
      addRecord(sums, record);
    }
  }
  const sorted = (sums: Map<string, RunningSums>): [string, RunningSums][] =>
    [...sums].sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    ...served(total),
    currency: 'USD',
    start_time: start,
    end_time: end,
    by_model: sorted(byModel).map(([model, sums]) => ({ model, ...served(sums) })),
    daily: sorted(byDay).map(([date, sums]) => ({ date, ...served(sums) })),
  };
}

function emptySums(): RunningSums {
  return { settled: 0n, pending: 0n, refunded: 0n, records: 0, unknown: 0 };
}

function sumsOf(groups: Map<string, RunningSums>, name: string): RunningSums {
  const held = groups.get(name);
  if (held !== undefined) return held;
  const made = emptySums();
  groups.set(name, made);
  return made;
}

function addRecord(sums: RunningSums, record: ChargeRecord): void {
  sums.records += 1;
  sums.refunded += record.refunded;
  if (record.status === 'settled') sums.settled += record.amount;
  if (record.status === 'pending') sums.pending += record.reserved;
  if (record.status === 'unknown') sums.unknown += 1;
}

function served(sums: RunningSums): UsageSums {
  return {
    settled_amount: formatAmount(sums.settled),
    pending_amount: formatAmount(sums.pending),
    refunded_amount: formatAmount(sums.refunded),
    records: sums.records,
    unknown_records: sums.unknown,
  };
}

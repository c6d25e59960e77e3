import { RecordSums } from '../charging/record-sums.ts';
import type { ChargeRecord } from '../events/charge-record.ts';
import type { Readings } from '../readings/readings.ts';
import { readRecord } from './served-record.ts';

/** Whether totals sum records otherwise than the running sums of the books do. */
export function sumsOtherwise({
  amount,
  totals_settled,
  totals_pending,
  totals_refunded,
  totals_records,
  totals_open,
  totals_day,
}: Readings): boolean {
  return (
    amount === 'gross' ||
    totals_settled !== 'settled' ||
    totals_pending !== 'reserved' ||
    totals_refunded !== 'all' ||
    totals_records !== 'with_unknown' ||
    totals_open !== 'counted' ||
    totals_day !== 'created'
  );
}

/** What one shown record adds to totals. */
export function summedRecord(shown: ChargeRecord, readings: Readings): RecordSums {
  const record = readRecord(shown, readings);
  const { status, amount, reserved, refunded } = record;
  const sums = new RecordSums();
  const isOpen = status === 'pending';
  if (isOpen && readings.totals_open === 'left_out') return sums;
  sums.unknown = status === 'unknown' || (isOpen && readings.totals_open === 'also_unknown') ? 1 : 0;
  sums.records = status === 'unknown' && readings.totals_records === 'without_unknown' ? 0 : 1;
  sums.settled = SETTLED[readings.totals_settled](record);
  if (isOpen) sums.pending = readings.totals_pending === 'reserved' ? reserved : amount;
  if (readings.totals_refunded === 'all' || status === 'refunded') sums.refunded = refunded;
  return sums;
}

const SETTLED: Readonly<Record<Readings['totals_settled'], (record: ChargeRecord) => bigint>> = {
  settled: ({ status, amount }) => (status === 'settled' ? amount : 0n),
  final: (record) => (hasEnded(record) ? record.amount : 0n),
  gross: (record) => (hasEnded(record) ? record.amount + record.refunded : 0n),
};

function hasEnded({ status }: ChargeRecord): boolean {
  return status === 'settled' || status === 'refunded';
}

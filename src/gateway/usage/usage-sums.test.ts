import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UsageSums } from '../../contracts/interface.ts';
import { parseAmount } from '../../core/amount.ts';
import { RecordStore } from '../charging/record-store.ts';
import { chargeRecord } from '../events/charge-record.test-support.ts';
import type { ChargeRecord } from '../events/charge-record.ts';
import { usageTotals } from './usage-routes.ts';

const USD = 10n ** 12n;
const ALL = { start: 1, end: 2_000_000_000, model: null, requestId: null };

function totalsOf(records: readonly ChargeRecord[]) {
  const store = new RecordStore();
  for (const record of records) store.add(record);
  return usageTotals(store, 'key', ALL);
}

test('each status counts in its own figure, refunds of all of them together', () => {
  const records = [
    chargeRecord({ id: 'a', amount: USD, reserved: 3n * USD, refunded: 2n * USD }),
    chargeRecord({ id: 'b', status: 'pending', amount: 0n, reserved: 5n * USD }),
    chargeRecord({ id: 'c', status: 'refunded', amount: 0n, reserved: USD, refunded: USD }),
    chargeRecord({ id: 'd', status: 'unknown', amount: 0n, reserved: USD }),
  ];
  expect(totalsOf(records)).toMatchObject({
    settled_amount: '1',
    pending_amount: '5',
    refunded_amount: '3',
    records: 4,
    unknown_records: 1,
    currency: 'USD',
    start_time: 1,
    end_time: 2_000_000_000,
  });
});

test('days are cut at midnight UTC', () => {
  const midnight = 1_795_132_800;
  const records = [
    chargeRecord({ id: 'a', createdAt: midnight - 1 }),
    chargeRecord({ id: 'b', createdAt: midnight }),
  ];
  expect(totalsOf(records).daily.map(({ date, records: count }) => [date, count])).toEqual([
    ['2026-11-19', 1],
    ['2026-11-20', 1],
  ]);
});

test('property: by_model and daily are partitions of the totals', () => {
  const record: fc.Arbitrary<ChargeRecord> = fc
    .record({
      createdAt: fc.integer({ min: 1, max: 600_000 }),
      model: fc.constantFrom('a', 'b', 'c/d:e'),
      status: fc.constantFrom('pending', 'settled', 'refunded', 'unknown'),
      amount: fc.bigInt(0n, USD),
      reserved: fc.bigInt(0n, USD),
      refunded: fc.bigInt(0n, USD),
    })
    .map((over) => chargeRecord({ id: 'x', ...over }));
  fc.assert(
    fc.property(fc.array(record, { maxLength: 30 }), (drawn) => {
      const records = drawn.map((made, index) => ({ ...made, id: `r${index}` }));
      const totals = totalsOf(records);
      expect(totals.records).toBe(records.length);
      expect(sumOf(totals.by_model)).toEqual(sumOf([totals]));
      expect(sumOf(totals.daily)).toEqual(sumOf([totals]));
      expect(new Set(totals.by_model.map(({ model }) => model)).size).toBe(totals.by_model.length);
    }),
  );
});

function sumOf(parts: readonly UsageSums[]): Record<string, bigint> {
  const sum = { settled: 0n, pending: 0n, refunded: 0n, records: 0n, unknown: 0n };
  for (const part of parts) {
    sum.settled += parseAmount(part.settled_amount) ?? 0n;
    sum.pending += parseAmount(part.pending_amount) ?? 0n;
    sum.refunded += parseAmount(part.refunded_amount) ?? 0n;
    sum.records += BigInt(part.records);
    sum.unknown += BigInt(part.unknown_records);
  }
  return sum;
}

import { type ChargeRecord, NO_TOKENS } from '../events/charge-record.ts';
import { CATALOGUE } from '../models/catalogue.ts';
import type { Readings } from '../readings/readings.ts';

/** Whether the records that are shown are others than those in the books. */
export function keepsOtherRecords({
  unused_reserve,
  failed_call,
  call_records,
  record_model,
}: Readings): boolean {
  return (
    unused_reserve !== 'refunded' ||
    failed_call !== 'refunded' ||
    call_records !== 'one' ||
    record_model !== 'as_asked'
  );
}

/** The records by which a gateway of these readings keeps one record of the books, newest first. Their sum is its cost. */
export function keptRecords(booked: ChargeRecord, readings: Readings): readonly ChargeRecord[] {
  const record = { ...booked, model: SHOWN_MODELS[readings.record_model](booked.model) };
  const kept = keptByStatus(record, readings);
  if (readings.call_records !== 'inner_retries' || !isRetried(record)) return kept;
  return [...kept, { ...beside(record), status: 'refunded', result: 'failed', usage: NO_TOKENS }];
}

/** The model whose records a filter of this name asks for: the name that records show, or the name that calls use. */
export function askedModel(name: string | null, { record_model }: Readings): string | null {
  if (name === null) return null;
  return CATALOGUE.find(({ id }) => SHOWN_MODELS[record_model](id) === name)?.id ?? name;
}

const SHOWN_MODELS: Readonly<Record<Readings['record_model'], (model: string) => string>> = {
  as_asked: (model) => model,
  dated: (model) => `${model}-2026-01-15`,
  prefixed: (model) => `provider/${model}`,
  upper_case: (model) => model.toUpperCase(),
};

type Kept = (record: ChargeRecord) => readonly ChargeRecord[];

function keptByStatus(record: ChargeRecord, readings: Readings): readonly ChargeRecord[] {
  if (record.status === 'refunded') return FAILED[readings.failed_call](record);
  if (record.status !== 'settled') return [record];
  if (readings.call_records === 'reserve_and_settlement') return inTwo(record);
  return [{ ...record, ...UNUSED[readings.unused_reserve](record) }];
}

type UnusedReserve = (record: ChargeRecord) => Partial<ChargeRecord>;

/** What a settled record tells of the reserve that was not used. */
const UNUSED: Readonly<Record<Readings['unused_reserve'], UnusedReserve>> = {
  refunded: () => ({}),
  released: () => ({ refunded: 0n }),
  rewritten: ({ amount }) => ({ reserved: amount, refunded: 0n }),
  zeroed: () => ({ reserved: 0n, refunded: 0n }),
};

/** How a call is kept whose hold was given back. What a fault keeps of it stays charged. */
const FAILED: Readonly<Record<Readings['failed_call'], Kept>> = {
  refunded: (record) => [record],
  gross: (record) => [{ ...record, amount: record.reserved }],
  zero: (record) => [{ ...record, amount: record.reserved - record.refunded, refunded: 0n }],
  negative_record: (record) => [
    { ...beside(record), status: 'settled', amount: -record.refunded },
    charged(record),
  ],
  refund_record: (record) => [{ ...beside(record), refunded: record.refunded }, charged(record)],
  no_record: (record) => (record.refunded === record.reserved ? [] : [record]),
};

/** The whole reserve as its charge. */
function charged(record: ChargeRecord): ChargeRecord {
  return { ...record, status: 'settled', amount: record.reserved, refunded: 0n };
}

/** One record for the reserve, and one that corrects it. */
function inTwo(record: ChargeRecord): readonly ChargeRecord[] {
  const settlement = { ...beside(record), amount: record.amount - record.reserved };
  return [settlement, { ...charged(record), usage: NO_TOKENS }];
}

/** A second record of the same call, with no money. Its id sorts between those of the first and the next call. */
function beside(record: ChargeRecord): ChargeRecord {
  return { ...record, id: `${record.id}${SECOND}`, amount: 0n, reserved: 0n, refunded: 0n };
}

const SECOND = '-2';

/** The id in the books of a record that is shown. */
export function bookedId(shownId: string): string {
  return shownId.endsWith(SECOND) ? shownId.slice(0, -SECOND.length) : shownId;
}

const RETRIED_EVERY = 4;

/** Whether the gateway tried its provider twice for this call: every fourth, by its number. */
function isRetried({ id, status }: ChargeRecord): boolean {
  return status === 'settled' && Number(id.slice(-4)) % RETRIED_EVERY === 0;
}

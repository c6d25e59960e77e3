import type { UsageRecord } from '../../contracts/interface.ts';
import { AMOUNT_SCALE, formatAmount, type PicoUsd } from '../../core/amount.ts';
import { formatDecimal } from '../../core/decimal.ts';
import type { BillingStatus, CallResult, ChargeRecord } from '../events/charge-record.ts';
import { ROUNDING_RULES } from '../prices/rounding-rule.ts';
import { OWN_READINGS, type Readings } from '../readings/readings.ts';
import type { AmountWriter, ServedForms } from '../readings/served-forms.ts';

type AmountField = 'amount' | 'reserved_amount' | 'refunded_amount';

/** A record as it is served; only a fault makes an amount a number. */
export type RecordAnswer = Omit<UsageRecord, AmountField> & Readonly<Record<AmountField, string | number>>;

/** Other names for the values that the interface leaves unnamed. */
const OTHER_RESULTS: Readonly<Record<CallResult, string>> = {
  completed: 'completed',
  failed: 'error',
  incomplete: 'partial',
  cancelled: 'client_closed',
  unknown: 'running',
};
const OTHER_STATUSES: Readonly<Record<BillingStatus, string>> = {
  settled: 'settled',
  pending: 'reserved',
  refunded: 'released',
  unknown: 'uncertain',
};

/** The figures of a record as the readings mean them: a gross amount still holds what was given back. */
export function readRecord(record: ChargeRecord, { amount }: Readings): ChargeRecord {
  const ended = record.status === 'settled' || record.status === 'refunded';
  return amount === 'gross' && ended ? { ...record, amount: record.amount + record.refunded } : record;
}

/** The record as interface §2 gives it. */
export function servedRecord(
  given: ChargeRecord,
  readings: Readings = OWN_READINGS,
  forms: ServedForms | null = null,
): RecordAnswer {
  const record = readRecord(given, readings);
  const { input, output, cacheRead, cacheWrite } = record.usage;
  const writer = forms?.of(record.id) ?? null;
  const write = (amount: PicoUsd, field: AmountField): string | number =>
    written(amountText(amount, readings), field, writer);
  const other = readings.values === 'other';
  return {
    usage_estimated: record.estimated,
    id: record.id,
    request_id: record.requestId,
    created_at: record.createdAt,
    model: record.model,
    result: other ? OTHER_RESULTS[record.result] : record.result,
    billing_status: other ? OTHER_STATUSES[record.status] : record.status,
    amount: write(record.amount, 'amount'),
    reserved_amount: write(record.reserved, 'reserved_amount'),
    refunded_amount: write(record.refunded, 'refunded_amount'),
    input_tokens: readings.input_tokens === 'with_cache' ? input : input - cacheRead - cacheWrite,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    pricebook_id: record.pricebookId,
    pricing_version: record.pricingVersion,
  };
}

/** An amount as the readings write it: shortest, or with all decimals of the rounding rule. */
export function amountText(amount: PicoUsd, { amount_form, rounding }: Readings): string {
  if (amount_form === 'shortest') return formatAmount(amount);
  const { decimals } = ROUNDING_RULES[rounding];
  const step = 10n ** BigInt(AMOUNT_SCALE - decimals);
  // What a fault put between two steps keeps all its decimals.
  return amount % step === 0n
    ? formatDecimal({ digits: amount / step, scale: decimals })
    : formatDecimal({ digits: amount, scale: AMOUNT_SCALE });
}

function written(text: string, field: AmountField, writer: AmountWriter | null): string | number {
  return writer === null ? text : writer(text, field);
}

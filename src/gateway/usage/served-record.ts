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

type Words<N extends string> = Readonly<Record<N, string>>;

/** Other names for the values that the interface leaves unnamed. */
const OTHER_RESULTS: Words<CallResult> = {
  completed: 'completed',
  failed: 'error',
  incomplete: 'partial',
  cancelled: 'client_closed',
  unknown: 'running',
};
const OTHER_STATUSES: Words<BillingStatus> = {
  settled: 'settled',
  pending: 'reserved',
  refunded: 'released',
  unknown: 'uncertain',
};

/** Words of gateways for what the interface does not name; null: its own. */
const WORDS: Readonly<
  Record<
    Readings['values'],
    { readonly results: Words<CallResult>; readonly statuses: Words<BillingStatus> } | null
  >
> = {
  named: null,
  other: { results: OTHER_RESULTS, statuses: OTHER_STATUSES },
  voided: {
    results: { ...OTHER_RESULTS, failed: 'failed', incomplete: 'interrupted', cancelled: 'cancelled' },
    statuses: { settled: 'settled', pending: 'processing', refunded: 'voided', unknown: 'held' },
  },
  waived: {
    results: {
      completed: 'completed',
      failed: 'timeout',
      incomplete: 'length',
      cancelled: 'expired',
      unknown: 'unknown',
    },
    statuses: { settled: 'settled', pending: 'open', refunded: 'waived', unknown: 'adjusted' },
  },
  never_settled: {
    results: { ...OTHER_RESULTS, failed: 'refused' },
    statuses: { settled: 'settled', pending: 'pending', refunded: 'pending', unknown: 'unknown' },
  },
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
  const { output, cacheRead, cacheWrite } = record.usage;
  const writer = forms?.of(record.id) ?? null;
  const write = (amount: PicoUsd, field: AmountField): string | number =>
    written(amountText(amount, readings), field, writer ?? WRITERS[readings.amount_form]);
  const words = WORDS[readings.values];
  return {
    usage_estimated: record.estimated,
    id: record.id,
    request_id: record.requestId,
    created_at: record.createdAt,
    model: record.model,
    result: words?.results[record.result] ?? record.result,
    billing_status: words?.statuses[record.status] ?? record.status,
    amount: write(record.amount, 'amount'),
    reserved_amount: write(record.reserved, 'reserved_amount'),
    refunded_amount: write(record.refunded, 'refunded_amount'),
    input_tokens: INPUT_TOKENS[readings.input_tokens](record.usage),
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    pricebook_id: record.pricebookId,
    pricing_version: record.pricingVersion + VERSION_ENDS[readings.version_form],
  };
}

const VERSION_ENDS: Readonly<Record<Readings['version_form'], string>> = {
  plain: '',
  with_contract: '/standard',
};

const INPUT_TOKENS: Readonly<Record<Readings['input_tokens'], (usage: ChargeRecord['usage']) => number>> = {
  with_cache: ({ input }) => input,
  without_cache: ({ input, cacheRead, cacheWrite }) => input - cacheRead - cacheWrite,
  without_writes: ({ input, cacheWrite }) => input - cacheWrite,
};

/** Forms of amounts that totals do not have; null: that of totals. */
const WRITERS: Readonly<Record<Readings['amount_form'], AmountWriter | null>> = {
  shortest: null,
  padded: null,
  long: null,
  exponent: null,
  double_noise: null,
  number: Number,
};

/** An amount as the readings write it: shortest, or with all decimals of the rounding rule. */
export function amountText(amount: PicoUsd, { amount_form, rounding }: Readings): string {
  if (amount_form === 'shortest' || amount_form === 'number') return formatAmount(amount);
  if (amount_form === 'exponent') return withExponent(amount);
  if (amount_form === 'double_noise') return withNoise(amount);
  if (amount_form === 'long') return formatDecimal({ digits: amount * 1000n, scale: AMOUNT_SCALE + 3 });
  const { decimals } = ROUNDING_RULES[rounding];
  const step = 10n ** BigInt(AMOUNT_SCALE - decimals);
  // What a fault put between two steps keeps all its decimals.
  return amount % step === 0n
    ? formatDecimal({ digits: amount / step, scale: decimals })
    : formatDecimal({ digits: amount, scale: AMOUNT_SCALE });
}

/** The shortest text with an exponent, made from the digits. */
function withExponent(amount: PicoUsd): string {
  if (amount === 0n) return '0e+0';
  const [, sign = '', digits = ''] = /^(-?)(\d+)$/.exec(String(amount)) ?? [];
  const [, first = '', rest = ''] = /^(\d)(\d*?)0*$/.exec(digits) ?? [];
  const exponent = digits.length - 1 - AMOUNT_SCALE;
  return `${sign}${first}${rest === '' ? '' : `.${rest}`}e${exponent < 0 ? '' : '+'}${exponent}`;
}

const DOUBLE_DECIMALS = 16;

/** All 17 digits of the nearest double, which round to the amount at 12 decimals below 1,000 USD. */
function withNoise(amount: PicoUsd): string {
  const text = Number(formatAmount(amount)).toExponential(DOUBLE_DECIMALS);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

function written(text: string, field: AmountField, writer: AmountWriter | null): string | number {
  return writer === null ? text : writer(text, field);
}

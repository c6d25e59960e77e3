import type { RecordGroup } from '../../contracts/reconciliation.ts';
import type { UsageRecordLine } from '../../contracts/usage-lines.ts';
import { behindNoise, type PicoUsd, readAmount } from '../../core/amount.ts';
import { formatDecimal, parseNumberText } from '../../core/decimal.ts';
import { parseInstant } from '../../core/time.ts';
import { namedRole, type StatusRole } from './status-role.ts';

/** A usage record as far as it could be read; a null field was missing or malformed. */
export interface ServedRecord {
  /** Distinguishes records; an id alone may collide between requests. */
  readonly key: string;
  readonly id: string;
  readonly request_id: string;
  /** Unix seconds. */
  readonly created_at: number | null;
  readonly model: string;
  /** The name that the calls, or else the price book, have for it. */
  readonly asked_model: string;
  readonly result: string;
  readonly billing_status: string;
  /** What the status means. */
  readonly role: StatusRole;
  readonly amount: AmountField;
  readonly reserved: AmountField;
  readonly refunded: AmountField;
  readonly input: bigint | null;
  readonly output: bigint | null;
  readonly cache_read: bigint | null;
  readonly cache_write: bigint | null;
  readonly usage_estimated: boolean;
  readonly pricebook_id: string;
  readonly pricing_version: string;
  /** The group of accounts by whose prices it says to be charged; null where it tells none. */
  readonly price_group: string | null;
  /** Ids of the calls that the gateway made for it; absent where the record names none. */
  readonly upstream_ids?: readonly string[];
  readonly group?: RecordGroup;
  /** Fields that are missing or not of their type. */
  readonly malformed: readonly string[];
  readonly read_at: string;
  /** `read_at` in milliseconds since the epoch. */
  readonly read_ms: number;
  readonly sweep: number;
  readonly by_request_id: boolean;
  /** The walk of its sweep that served it; null in folders of older versions. */
  readonly pass: number | null;
  /** The record as it was served. */
  readonly served: unknown;
}

/** An amount in 10⁻¹² USD; `exact` is null where the text is malformed or has more than 12 decimals. */
export interface AmountField {
  readonly text: string;
  /** How it is written; only `decimal` is as documented, and `unreadable` and `foreign` (no USD) have no value. */
  readonly form: 'decimal' | 'double' | 'number' | 'exponent' | 'unreadable' | 'foreign';
  readonly exact: PicoUsd | null;
  /** Bounds of the value; null where the text is no decimal. */
  readonly lo: PicoUsd | null;
  readonly hi: PicoUsd | null;
}

export function serveRecord(
  line: UsageRecordLine,
  askedModel: (recorded: string) => string = (recorded) => recorded,
): ServedRecord {
  const fields = isObject(line.record) ? line.record : {};
  const malformed: string[] = [];
  function text(name: string): string {
    const value = fields[name];
    if (typeof value === 'string') return value;
    malformed.push(name);
    return '';
  }
  function integer(name: string): number | null {
    const value = fields[name];
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    malformed.push(name);
    return null;
  }
  function count(name: string): bigint | null {
    const value = integer(name);
    return value === null ? null : BigInt(value);
  }
  const id = text('id');
  const requestId = text('request_id');
  const model = text('model');
  const billingStatus = text('billing_status');
  return {
    key: JSON.stringify([requestId, id]),
    id,
    request_id: requestId,
    created_at: integer('created_at'),
    model,
    asked_model: askedModel(model),
    result: text('result'),
    billing_status: billingStatus,
    role: namedRole(billingStatus),
    amount: inUsd(line, amountField(fields['amount'])),
    reserved: inUsd(line, amountField(fields['reserved_amount'])),
    refunded: inUsd(line, amountField(fields['refunded_amount'])),
    input: count('input_tokens'),
    output: count('output_tokens'),
    cache_read: count('cache_read_tokens'),
    cache_write: count('cache_write_tokens'),
    usage_estimated: fields['usage_estimated'] === true,
    pricebook_id: text('pricebook_id'),
    pricing_version: text('pricing_version'),
    price_group: priceGroupOf(fields['price_group']),
    ...upstreamIds(fields['upstream_request_id']),
    ...groupOf(fields['group']),
    malformed: [...malformed].sort(),
    read_at: line.read_at,
    read_ms: parseInstant(line.read_at) ?? Number.POSITIVE_INFINITY,
    by_request_id: line.by_request_id,
    pass: line.pass,
    sweep: line.sweep,
    served: line.record,
  };
}

/** No field of the interface: a gateway's own export may name its provider's call, or all its attempts. */
function upstreamIds(value: unknown): Pick<ServedRecord, 'upstream_ids'> {
  const ids = (Array.isArray(value) ? value : [value]).filter(
    (id): id is string => typeof id === 'string' && id !== '',
  );
  return ids.length === 0 ? {} : { upstream_ids: ids };
}

/** Some logs name it in each row. */
function priceGroupOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A record of a gateway has none: it is noted where rows of another program are read. */
function groupOf(noted: unknown): { readonly group?: RecordGroup } {
  if (!isObject(noted)) return {};
  const { by, name } = noted;
  if (typeof by !== 'string' || (name !== null && typeof name !== 'string')) return {};
  return { group: { by, name } };
}

function isObject(record: unknown): record is Readonly<Record<string, unknown>> {
  return typeof record === 'object' && record !== null && !Array.isArray(record);
}

/** On a page in another currency no amount has a value in USD. */
function inUsd({ currency }: UsageRecordLine, amount: AmountField): AmountField {
  if (currency === null || currency === 'USD') return amount;
  const text = `${amount.text} ${currency}`;
  return { text, form: 'foreign', exact: null, lo: null, hi: null };
}

/** A number, or a text with an exponent, has a certain value all the same; any other text has none. */
export function amountField(value: unknown): AmountField {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'absent');
  if (typeof value === 'string') {
    const plain = amountBy(text, 'decimal');
    if (plain !== null) return plain;
  }
  const form = typeof value === 'number' ? 'number' : typeof value === 'string' ? 'exponent' : null;
  const number = form === null ? null : parseNumberText(text);
  const read = form === null || number === null ? null : amountBy(formatDecimal(number), form);
  return read === null ? { text, form: 'unreadable', exact: null, lo: null, hi: null } : { ...read, text };
}

function amountBy(text: string, form: AmountField['form']): AmountField | null {
  const reading = readAmount(text);
  if (reading.kind === 'malformed') return null;
  if (reading.kind === 'interval') {
    const meant = behindNoise(text);
    if (meant === null) return { text, form, exact: null, lo: reading.lo, hi: reading.hi };
    return { text, form: form === 'decimal' ? 'double' : form, exact: meant, lo: meant, hi: meant };
  }
  return { text, form, exact: reading.value, lo: reading.value, hi: reading.value };
}

/** Equal where two versions of a record were served with equal content; orders them too. */
export function contentOf({ served }: Pick<ServedRecord, 'served'>): string {
  return textOfContent(served);
}

/** The same text for equal content, of whatever a target served: 1e999, which no canonical JSON holds, too. */
function textOfContent(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOfContent).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${textOfContent(held)}`).join(',')}}`;
}

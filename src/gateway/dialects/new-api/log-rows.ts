import { AMOUNT_SCALE, type PicoUsd } from '../../../core/amount.ts';
import { divideRounded } from '../../../core/rounding.ts';
import type { ApiKey } from '../../account/account.ts';
import { costOf } from '../../charging/credit-effect.ts';
import { numberOfRecordId } from '../../charging/record-id.ts';
import type { ChargeRecord } from '../../events/charge-record.ts';
import type { Gateway } from '../../parts/gateway.ts';
import { keptRows } from '../kept-rows.ts';
import { isClaude, UNITS_PER_USD } from './ratios.ts';
import type { RowSource } from './row-source.ts';
import { otherOf, refundOf } from './row-terms.ts';

export const CHARGE_ROW = 2;
const ERROR_ROW = 5;
const REFUND_ROW = 6;

/** A row of the log, without the position that an answer gives it. */
export interface LogRow {
  readonly user_id: number;
  readonly created_at: number;
  readonly type: number;
  readonly content: string;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly use_time: number;
  readonly is_stream: boolean;
  readonly channel: number;
  readonly channel_name: string;
  readonly token_id: number;
  readonly group: string;
  readonly ip: string;
  /** Absent on rows of refunds. */
  readonly request_id?: string;
  readonly other: string;
}

/** Whole units of an amount, half up; a fault may have made one that no unit can tell. */
export function quotaUnitsOf(amount: PicoUsd): number {
  return Number(divideRounded(amount * BigInt(UNITS_PER_USD), 10n ** BigInt(AMOUNT_SCALE), 'half_up'));
}

interface Placed {
  readonly row: LogRow;
  readonly number: number;
}

/** The rows of these keys, newest first; in one second the one that was begun later. */
export const logRows = keptRows((gateway, keys): readonly LogRow[] => {
  const placed = keys.flatMap((key) => rowsOfKey(gateway, key));
  const newestFirst = placed.sort(
    (left, right) =>
      right.row.created_at - left.row.created_at ||
      right.number - left.number ||
      right.row.type - left.row.type,
  );
  return newestFirst.map(({ row }) => row);
});

const ALWAYS = { start: 0, end: Number.MAX_SAFE_INTEGER, model: null, requestId: null };

function rowsOfKey(gateway: Gateway, key: ApiKey): readonly Placed[] {
  const placed: Placed[] = [];
  for (const record of gateway.records.newestFirst(key.fingerprint, ALWAYS, null)) {
    const source = sourceOf(gateway, key, record);
    for (const row of rowsOf(gateway, source)) placed.push({ row, number: numberOfRecordId(record.id) });
  }
  return placed;
}

function sourceOf({ prices, details }: Gateway, key: ApiKey, record: ChargeRecord): RowSource {
  const version =
    prices.versions.find(({ book }) => book.pricing_version === record.pricingVersion) ?? prices.current;
  return {
    key,
    record,
    detail: details?.of(record.requestId) ?? null,
    model: prices.modelOf(version, record.model),
  };
}

/** None, one, or for a task that failed the charge and its refund. */
function rowsOf(gateway: Gateway, source: RowSource): readonly LogRow[] {
  const { record, model } = source;
  if (model?.kind === 'video') return taskRows(gateway, source);
  if (record.status === 'settled') return [chargeRow(source, record.amount)];
  if (record.status !== 'refunded') return [];
  // Only a fault keeps a part of what is given back.
  const kept = costOf(record);
  if (kept !== 0n) return [chargeRow(source, kept)];
  return gateway.dialect?.switches.has('error-rows') === true ? [errorRow(source)] : [];
}

/** A task is charged when it is created, and its failure gives that back in a row without a request id. */
function taskRows({ endings }: Gateway, source: RowSource): readonly LogRow[] {
  const { record, detail } = source;
  const { status, amount, reserved, refunded } = record;
  if (status !== 'refunded') return [chargeRow(source, status === 'settled' ? amount : reserved)];
  const charge = chargeRow(source, reserved);
  if (refunded === 0n) return [charge];
  const { request_id: _, ...shared } = charge;
  const other = refundOf(source, detail?.note?.taskId ?? '');
  const created_at = endings.get(record.id) ?? record.createdAt;
  return [
    charge,
    { ...shared, created_at, type: REFUND_ROW, content: '', quota: quotaUnitsOf(refunded), other },
  ];
}

function chargeRow(source: RowSource, amount: PicoUsd): LogRow {
  const { key, record, detail, model } = source;
  const { input, output, cacheRead, cacheWrite } = record.usage;
  const apart = model !== null && isClaude(model) ? cacheRead + cacheWrite : 0;
  return {
    user_id: key.account.id,
    created_at: record.createdAt,
    type: CHARGE_ROW,
    content: contentOf(source),
    username: usernameOf(key),
    token_name: tokenNameOf(key),
    model_name: record.model,
    quota: quotaUnitsOf(amount),
    prompt_tokens: input - apart,
    completion_tokens: output,
    use_time: model?.kind === 'video' ? 0 : Math.floor((detail?.times?.end_ms ?? 0) / 1000),
    is_stream: detail?.note?.stream ?? false,
    channel: 1,
    channel_name: '',
    token_id: key.ordinal,
    group: groupOf(key),
    ip: '',
    request_id: record.requestId,
    // Made where a page shows it: a read looks at every row.
    get other() {
      return JSON.stringify(otherOf(source));
    },
  };
}

function errorRow(source: RowSource): LogRow {
  const { detail } = source;
  const other = {
    channel_id: 1,
    channel_name: 'embedded',
    channel_type: 1,
    error_code: 'upstream_error',
    error_type: 'new_api_error',
    status_code: 500,
    request_path: detail?.endpoint ?? '',
  };
  return { ...chargeRow(source, 0n), type: ERROR_ROW, other: JSON.stringify(other) };
}

function usernameOf({ account }: ApiKey): string {
  return `user${account.id}`;
}

export function tokenNameOf({ ordinal }: ApiKey): string {
  return `key-${ordinal}`;
}

function groupOf({ group = 'default' }: ApiKey): string {
  return group;
}

/** Free text: the only place of a row that tells the factors of a task and the number of images. */
function contentOf({ detail }: RowSource): string {
  const work = detail?.work ?? null;
  if (work?.kind === 'video') return `seconds: ${work.seconds.toFixed(2)}, size: ${work.size}`;
  if (work?.kind !== 'image') return '';
  return `size ${work.size}, quality ${work.quality}, n ${work.count ?? 1}`;
}

import type { RecordFacts } from '../../contracts/reconciliation.ts';
import { formatInstant, instantOfSecond } from '../../core/time.ts';
import type { BillRow } from './bill-row.ts';
import { exactAmount, heldBy, refundedBy } from './record-amounts.ts';

/** `decimal` is a plain decimal text of at most 12 decimals, `json` the text of a JSON value. */
type ColumnType = 'text' | 'integer' | 'decimal' | 'real' | 'flag' | 'json';

export interface RowColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** The value as text, `true` or `false` for a flag; null where it is not known. */
  readonly read: (row: BillRow) => string | null;
}

const text = (name: string, read: RowColumn['read']): RowColumn => ({ name, type: 'text', read });
const integer = (name: string, read: RowColumn['read']): RowColumn => ({ name, type: 'integer', read });
const decimal = (name: string, read: RowColumn['read']): RowColumn => ({ name, type: 'decimal', read });

/** What stands in rows.ndjson, rows.csv and rows.parquet, in this order. */
export const ROW_COLUMNS: readonly RowColumn[] = [
  text('run_id', ({ run_id }) => run_id),
  text('row_id', ({ id }) => id),
  text('class', ({ findings }) => findings[0]?.class ?? null),
  text('severity', ({ findings }) => findings[0]?.severity ?? null),
  text('confidence', ({ findings }) => findings[0]?.confidence ?? null),
  text('direction', ({ findings }) => findings[0]?.direction ?? null),
  text('verdict', ({ call }) => call?.verdict ?? null),
  text('match_pass', ({ call }) => call?.match ?? 'cluster'),
  { name: 'match_score', type: 'real', read: ({ call }) => numberText(call?.score) },
  text('attempt_id', ({ call }) => call?.call_id ?? null),
  text('logical_id', ({ call }) => call?.row?.logical_id ?? null),
  integer('try_no', ({ call }) => numberText(call?.row?.attempt)),
  text('request_id', ({ call }) => call?.request_id ?? null),
  text('usage_id', (row) => mainOf(row)?.id ?? null),
  integer('usage_count', ({ records }) => String(records.length)),
  text('endpoint', ({ call }) => call?.kind ?? null),
  text('model_requested', ({ call }) => call?.row?.model ?? null),
  text('model_recorded', (row) => mainOf(row)?.model ?? null),
  text('started_at', ({ call }) => call?.started_at ?? null),
  text('ended_at', ({ call }) => endedAt(call?.row ?? null)),
  text('created_at', (row) => instantOfSecond(mainOf(row)?.created_at ?? null)),
  integer('http_status', ({ call }) => numberText(call?.row?.status)),
  text('error_code', ({ call }) => call?.row?.error_code ?? null),
  text('outcome', ({ call }) => call?.outcome ?? null),
  text('stream_end', ({ call }) => call?.row?.finish ?? null),
  integer('in_client', ({ call }) => numberText(call?.row?.usage?.input)),
  integer('out_client', ({ call }) => numberText(call?.row?.usage?.output)),
  integer('cache_r_client', ({ call }) => numberText(call?.row?.usage?.cache_read)),
  integer('cache_w_client', ({ call }) => numberText(call?.row?.usage?.cache_write)),
  integer('in_rec', (row) => mainOf(row)?.input?.toString() ?? null),
  integer('out_rec', (row) => mainOf(row)?.output?.toString() ?? null),
  integer('cache_r_rec', (row) => mainOf(row)?.cache_read?.toString() ?? null),
  integer('cache_w_rec', (row) => mainOf(row)?.cache_write?.toString() ?? null),
  { name: 'usage_estimated', type: 'flag', read: (row) => flagText(mainOf(row)?.usage_estimated) },
  { name: 'units', type: 'json', read: ({ call }) => jsonText(call?.row?.units ?? null) },
  text('billing_status', (row) => mainOf(row)?.billing_status ?? null),
  text('result', (row) => mainOf(row)?.result ?? null),
  decimal('amount', (row) => exactText(mainOf(row)?.amount)),
  text('amount_text', (row) => mainOf(row)?.amount.text ?? null),
  decimal('reserved', (row) => exactText(mainOf(row)?.reserved)),
  decimal('charged', ({ money }) => money?.charged ?? null),
  decimal('refunded', ({ records }) => refundedBy(records)),
  decimal('pending', ({ records }) => heldBy(records)),
  decimal('expected_lo', ({ call }) => call?.expected_lo ?? null),
  decimal('expected', ({ money }) => money?.expected ?? null),
  decimal('expected_hi', ({ call }) => call?.expected_hi ?? null),
  decimal('delta', ({ money }) => money?.difference ?? null),
  decimal('certain_over', ({ money }) => money?.certain_over ?? null),
  decimal('certain_under', ({ money }) => money?.certain_under ?? null),
  decimal('open', ({ money }) => money?.open ?? null),
  text(
    'rounding_rule',
    ({ findings }) => findings.find(({ rule }) => rule.startsWith('rounding'))?.rule ?? null,
  ),
  text('tier', ({ call }) => call?.tier ?? null),
  text('price_grade', ({ call }) => call?.grade ?? null),
  text('pricebook_id', (row) => mainOf(row)?.pricebook_id ?? null),
  text('pricing_version', (row) => mainOf(row)?.pricing_version ?? null),
  { name: 'age_s', type: 'real', read: ageSeconds },
  {
    name: 'provisional',
    type: 'flag',
    read: ({ call, findings }) => flagText(isProvisional(call?.verdict, findings)),
  },
  text('key_fp', ({ call }) => call?.row?.key_fp ?? null),
  { name: 'evidence', type: 'json', read: evidenceText },
];

/** The record that stands for the row; null where there is none, or one of several cannot be told. */
function mainOf({ call }: BillRow): RecordFacts | null {
  return call?.record ?? null;
}

function isProvisional(verdict: string | undefined, findings: BillRow['findings']): boolean {
  return verdict === 'provisional' || findings.some(({ provisional }) => provisional);
}

function evidenceText({ call, sum_of, records, findings }: BillRow): string {
  return JSON.stringify({
    findings: findings.map(({ id }) => id),
    calls: call === null ? sum_of : [call.call_id].filter((id) => id !== null),
    records: records.map(({ request_id, id }) => ({ request_id, id })),
    match_why: call?.match_why ?? 'their sum only',
    why: call?.why ?? '',
  });
}

function exactText(field: { readonly text: string } | undefined): string | null {
  return field === undefined ? null : exactAmount(field.text);
}

function endedAt(row: { readonly started_at: string; readonly end_ms: number } | null): string | null {
  const started = row === null ? Number.NaN : Date.parse(row.started_at);
  return row === null || Number.isNaN(started) ? null : formatInstant(started + row.end_ms);
}

/** From the record, or else the start of the call, to the last read. */
function ageSeconds(row: BillRow): string | null {
  const created = mainOf(row)?.created_at ?? null;
  const started = row.call?.started_at ?? null;
  const from = created !== null ? created * 1000 : started === null ? Number.NaN : Date.parse(started);
  return row.read_ms === null || Number.isNaN(from) ? null : String((row.read_ms - from) / 1000);
}

function numberText(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function flagText(value: boolean | undefined): string | null {
  return value === undefined ? null : String(value);
}

function jsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

import type { CallRow, Intent } from '../../contracts/ledger-lines.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { formatInstant } from '../../core/time.ts';
import type { ReconcileInput } from '../input/reconcile-input.ts';
import { archivedBook, bookDocument, inputOf, recordOf } from '../reconcile.test-support.ts';
import { cutRow, errorRow, imageRow, intentOf, START_MS, START_S, textRow } from '../rows.test-support.ts';

export const CALLS = 60;
/** It does not say where cached tokens are counted: the records tell. */
export const BOOK = archivedBook(bookDocument({ usage_semantics: undefined }));

/** mulberry32: the same world for the same seed. */
export function chance(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * most);
  };
}

type Fields = Record<string, unknown>;

/** What may go wrong with one record; half of the calls stay as they should be. */
const RECORD_FAULTS: readonly ((record: Fields, pick: (most: number) => number) => readonly Fields[])[] = [
  (record) => [{ ...record, amount: '0.1' }],
  (record) => [{ ...record, input_tokens: 7 }],
  (record) => [{ ...record, output_tokens: String(record['output_tokens']) }],
  (record) => [{ ...record, model: 'other' }],
  (record) => [{ ...record, billing_status: 'pending' }],
  (record) => [
    { ...record, billing_status: 'refunded', amount: '0', refunded_amount: record['reserved_amount'] },
  ],
  (record) => [{ ...record, refunded_amount: '0' }],
  (record) => [{ ...record, result: 'failed' }],
  (record) => [{ ...record, pricing_version: 'v9' }],
  (record) => [{ ...record, amount: Number(record['amount']) }],
  (record) => [{ ...record, amount: `${String(record['amount'])}00000000001` }],
  (record) => [{ ...record, amount: `-${String(record['amount'])}` }],
  (record) => [{ ...record, created_at: START_S - 400 }],
  (record) => [{ ...record, usage_estimated: true }],
  (record) => [record, { ...record, id: `${String(record['id'])}-2` }],
  (record) => [record, record],
  (record) => [{ ...record, request_id: `${String(record['request_id'])}-x` }],
  (record) => [{ ...record, request_id: '' }],
  (record, pick) => [{ ...record, request_id: `req-${pick(CALLS)}` }],
  () => [],
];

const ROW_FAULTS: readonly ((name: string, row: CallRow, pick: (most: number) => number) => CallRow)[] = [
  (name) => cutRow(name),
  (name) => errorRow(name, 429),
  (name) => errorRow(name, 500),
  (name) => imageRow(name),
  (_, row) => ({ ...row, out_chars: 0 }),
  (_, row) => ({ ...row, request_id: null, request_ids: [] }),
  (_, row, pick) => ({ ...row, request_id: `req-${pick(CALLS)}` }),
  (_, row, pick) => ({ ...row, request_ids: [`req-${pick(CALLS)}`, ...row.request_ids] }),
  (_, row, pick) => ({ ...row, logical_id: `call-${pick(CALLS)}`, attempt: 2 }),
  (_, row) => ({ ...row, usage: null }),
];

/** A world of calls, records and two sweeps; `gross` and `beside` are how its records read. */
export function worldOf(seed: number, calls = CALLS): ReconcileInput {
  const pick = chance(seed);
  const [gross, beside] = [pick(3) === 0, pick(3) === 0];
  const rows: CallRow[] = [];
  const intents: Intent[] = [];
  const records: Fields[] = [];
  for (let index = 0; index < calls; index += 1) {
    const name = String(index);
    const input = 1 + pick(3000);
    const output = 1 + pick(500);
    const read = pick(3) === 0 ? pick(input) : 0;
    const row = textRow(name, {
      started_at: formatInstant(START_MS + index * 500),
      usage: { input, output, cache_read: read, cache_write: 0, reasoning: null, raw: {} },
    });
    rows.push(pick(6) === 0 ? (ROW_FAULTS[pick(ROW_FAULTS.length)]?.(name, row, pick) ?? row) : row);
    if (pick(2) === 0) intents.push(intentOf(name, { at: row.started_at }));
    // USD of 10⁻¹²: $2 and $8 a million, cache reads $0.5; half up at 8 decimals.
    const exact = BigInt((input - read) * 4 + read + output * 16) * 500_000n;
    const due = ((exact + 5_000n) / 10_000n) * 10_000n;
    const reserved = 50_000_000_000n;
    const record: Fields = {
      ...recordOf(name, {
        created_at: START_S + Math.floor(index / 2),
        amount: formatAmount(gross ? reserved : due),
        reserved_amount: formatAmount(reserved),
        refunded_amount: formatAmount(reserved - due),
        input_tokens: beside ? input - read : input,
        output_tokens: output,
        cache_read_tokens: read,
      }),
    };
    const fault = pick(4) === 0 ? RECORD_FAULTS[pick(RECORD_FAULTS.length)] : undefined;
    records.push(...(fault?.(record, pick) ?? [record]));
  }
  const before = records.flatMap((record) =>
    pick(8) === 0
      ? [{ ...record, billing_status: 'pending' }]
      : pick(8) === 0
        ? [{ ...record, extra: 1 }]
        : [record],
  );
  const after = {
    records,
    at_ms: START_MS + 48 * 3_600_000,
    ...(pick(2) === 0 ? { totals: totalsOf(records) } : {}),
  };
  const sweeps = pick(2) === 0 ? [after] : [{ records: before }, after];
  return inputOf({ rows, intents, sweeps, books: [BOOK], key: pick(2) === 0 ? 'shared' : 'exclusive' });
}

/** Totals that count these records as they stand, unreadable amounts as nothing. */
function totalsOf(records: readonly Fields[]): Fields {
  const sum = (field: string, own: readonly Fields[]): string =>
    formatAmount(own.reduce((total, record) => total + (parseAmount(String(record[field])) ?? 0n), 0n));
  const figures = (own: readonly Fields[]): Fields => {
    const of = (status: string): readonly Fields[] =>
      own.filter((record) => record['billing_status'] === status);
    return {
      settled_amount: sum('amount', of('settled')),
      pending_amount: sum('reserved_amount', of('pending')),
      refunded_amount: sum('refunded_amount', own),
      records: own.length,
      unknown_records: 0,
    };
  };
  const parts = (label: string, nameOf: (record: Fields) => string): readonly Fields[] =>
    [...Map.groupBy(records, nameOf)].map(([name, own]) => ({ [label]: name, ...figures(own) }));
  return {
    currency: 'USD',
    ...figures(records),
    by_model: parts('model', (record) => String(record['model'])),
    daily: parts('date', (record) => formatInstant(Number(record['created_at']) * 1000).slice(0, 10)),
  };
}

/**
 * All that a verdict says, but for the rows that are right, and for what is learnt from right rows and so from fewer of
 * them: when records are dated, which of them shows a reading, how many an explanation was held against, and how well a pair without an id fits the time of its call.
 */
export function shownOf({ calls, suspense, findings, ...verdict }: Reconciliation) {
  const settings = verdict.coverage.settings
    .filter(({ name }) => name !== 'judged_together')
    .map(({ example: _, changes: __, ...setting }) =>
      setting.name === 'created_at' ? { name: setting.name } : setting,
    );
  const coverage = { ...verdict.coverage, settings };
  const wrong = calls
    .filter((call) => call.verdict !== 'to_the_digit')
    .map(({ score: _, match_why: __, ...call }) => call);
  return { ...verdict, coverage, findings: findings.map(({ explanation: _, ...finding }) => finding), wrong };
}

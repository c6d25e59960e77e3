import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import type { CallRow, Intent } from '../../core/ledger-lines.ts';
import { formatInstant } from '../../core/time.ts';
import { compileCells } from '../../pricebook/compile-cells.ts';
import { archivedBook, bookDocument, inputOf, recordOf } from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';
import type { ReconcileInput } from '../reconcile-input.ts';
import {
  cutRow,
  errorRow,
  imageRow,
  intentOf,
  START_MS,
  START_S,
  TEXT_MODEL,
  textRow,
} from '../rows.test-support.ts';
import { acceptanceOf, accepted } from './acceptance.test-support.ts';

const CALLS = 60;
/** It does not say where cached tokens are counted: the records tell. */
const BOOK = archivedBook(bookDocument({ usage_semantics: undefined }));

/** mulberry32: the same world for the same seed. */
function chance(seed: number): (most: number) => number {
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
function worldOf(seed: number): ReconcileInput {
  const pick = chance(seed);
  const [gross, beside] = [pick(3) === 0, pick(3) === 0];
  const rows: CallRow[] = [];
  const intents: Intent[] = [];
  const records: Fields[] = [];
  for (let index = 0; index < CALLS; index += 1) {
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
  const after = { records, at_ms: START_MS + 48 * 3_600_000 };
  const sweeps = pick(2) === 0 ? [after] : [{ records: before }, after];
  return inputOf({ rows, intents, sweeps, books: [BOOK], key: pick(2) === 0 ? 'shared' : 'exclusive' });
}

describe('what is accepted', () => {
  const { reading } = BOOK;
  const cells =
    'unreadable' in reading
      ? []
      : compileCells(reading.book, { models: [TEXT_MODEL], group: null, key_fp: null }).cells;

  test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    'is clean for every judge, world %i',
    async (seed) => {
      const world = worldOf(seed);
      const done = await acceptanceOf(world, { cells });
      await done.store.close();
      const { accepted: sums, ledger, records } = accepted(done);
      const ids = new Set(done.ids);
      const requests = new Set(done.ids.map((id) => id.replace('call', 'req')));
      const whole = reconcile(world);
      const judged = whole.calls.filter(({ call_id }) => call_id !== null && ids.has(call_id));
      expect(ids.size).toBeGreaterThan(CALLS / 10);
      expect(sums.calls).toBe(ids.size);
      expect(judged.map(({ verdict }) => verdict)).toEqual(done.ids.map(() => 'to_the_digit'));
      const accusing = whole.findings.filter(
        ({ call_id, request_id }) => ids.has(call_id ?? '') || requests.has(request_id ?? ''),
      );
      expect(accusing).toEqual([]);
      const charged = judged.reduce((sum, call) => sum + (parseAmount(call.charged ?? '') ?? 0n), 0n);
      expect(sums.charges.reduce((sum, part) => sum + part.charged, 0n)).toBe(charged);
      expect(sums.charges.reduce((sum, part) => sum + part.expected, 0n)).toBe(charged);
      expect([...ledger.rows.map(({ call_id }) => call_id), ...ids].sort()).toEqual(
        world.ledger.rows.map(({ call_id }) => call_id).sort(),
      );
      const rest = reconcile({ ...world, ledger, records });
      const named = new Set(rest.calls.flatMap(({ request_id }) => request_id ?? []));
      expect([...requests].filter((id) => named.has(id))).toEqual([]);
    },
  );
});

import type { JudgedCall, JudgedSum, Reconciliation, RecordFacts } from '../contracts/reconciliation.ts';
import { parseAmount } from '../core/amount.ts';
import { parseInstant } from '../core/time.ts';
import type { ChargeRow } from './weigh/charge-row.ts';

/** A record by itself is dated when it was made or settled: a clock, or a short call, lies between. */
const BEFORE_RECORD_S = 120;

/** What the model of a row is where neither call nor record names one. */
const UNNAMED = 'not named';

/**
 * The charges of a judged bill: each record's, and of a call without one what it may have cost. `calls_only`: there are no
 * records, so that each call counts with what the price book demands.
 */
export function chargeRows(
  { calls, sums }: Pick<Reconciliation, 'calls' | 'sums'>,
  unit: 'USD' | 'tokens',
  calls_only: boolean,
): readonly ChargeRow[] {
  if (unit === 'tokens') return calls.map((call) => ({ ...placeOf(call), ...tokensOf(call) }));
  const together = new Set(sums.flatMap(({ call_ids }) => call_ids));
  return [
    ...calls
      .filter(({ call_id }) => call_id === null || !together.has(call_id))
      .map((call) => ({ ...placeOf(call), ...moneyOf(call, calls_only) })),
    ...sums.flatMap(rowsOfSum),
  ];
}

function placeOf(call: JudgedCall): Pick<ChargeRow, 'model' | 'from' | 'to'> {
  const records = recordsOf(call);
  const model = records[0]?.model ?? call.row?.response_model ?? call.model ?? UNNAMED;
  const started = call.started_at === null ? null : parseInstant(call.started_at);
  const dated = records.flatMap(({ created_at }) => created_at ?? []);
  const own = started === null ? [] : [started / 1000, (started + (call.row?.end_ms ?? 0)) / 1000];
  const alone = own.length === 0 ? dated.map((second) => second - BEFORE_RECORD_S) : [];
  return { model: model === '' ? UNNAMED : model, ...spanOf([...own, ...dated, ...alone]) };
}

/** What is not dated may be of any time. */
function spanOf(seconds: readonly number[]): Pick<ChargeRow, 'from' | 'to'> {
  if (seconds.length === 0) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  return { from: Math.min(...seconds), to: Math.max(...seconds) };
}

function recordsOf({ records, record }: JudgedCall): readonly RecordFacts[] {
  return records ?? (record === null ? [] : [record]);
}

function moneyOf(call: JudgedCall, calls_only: boolean): Pick<ChargeRow, 'lo' | 'hi'> {
  const records = recordsOf(call);
  if (records.length === 0) {
    const hi = parseAmount(call.expected_hi);
    return { lo: calls_only ? (parseAmount(call.expected_lo) ?? 0n) : 0n, hi };
  }
  const charged = parseAmount(call.money?.charged ?? call.charged);
  const held = records.filter(({ role, billing_status }) => (role ?? billing_status) === 'pending');
  if (held.length > 0) {
    const reserves = held.map(({ reserved }) => parseAmount(reserved.text));
    const hi = reserves.includes(null)
      ? null
      : reserves.reduce<bigint>((sum, each) => sum + (each ?? 0n), charged ?? 0n);
    return { lo: charged ?? 0n, hi };
  }
  return charged === null ? { lo: 0n, hi: null } : { lo: charged, hi: charged };
}

/** All tokens of a call. Whether cached ones are inside the input, no form says for all: both count. */
function tokensOf({ row, record }: JudgedCall): Pick<ChargeRow, 'lo' | 'hi'> {
  const usage = row?.usage ?? null;
  const told =
    record === null
      ? [usage?.input, usage?.output, usage?.cache_read, usage?.cache_write]
      : [record.input, record.output, record.cache_read, record.cache_write];
  const [input, output, read, written] = told.map((count) => (count == null ? null : BigInt(count)));
  if (input == null || output == null) return { lo: 0n, hi: null };
  return { lo: input + output, hi: input + output + (read ?? 0n) + (written ?? 0n) };
}

/** Records whose calls are known only together. */
function rowsOfSum({ records = [], charged }: JudgedSum): readonly ChargeRow[] {
  return records.map((record) => {
    const amount = charged === null ? null : parseAmount(record.amount.text);
    const { created_at: second } = record;
    return {
      model: record.model === '' ? UNNAMED : record.model,
      ...spanOf(second === null ? [] : [second - BEFORE_RECORD_S, second]),
      lo: amount ?? 0n,
      hi: amount,
    };
  });
}

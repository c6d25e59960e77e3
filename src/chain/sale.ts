import type { JudgedCall, JudgedSum, Reconciliation, RecordFacts } from '../contracts/reconciliation.ts';
import { type PicoUsd, parseAmount } from '../core/amount.ts';
import { markerOf } from '../core/marker.ts';
import { parseInstant } from '../core/time.ts';

/**
 * What became of a call for its customer: recorded with its charge; in a record that is not settled; in none so far; in
 * none though it had to; in none that was read; in none, and none is due.
 */
export type SaleState = 'recorded' | 'pending' | 'waiting' | 'unrecorded' | 'not_read' | 'let_off';

/** One call of a customer, or several that are charged as one. */
export interface Sale {
  /** Null where no ledger tells of it. */
  readonly call_id: string | null;
  readonly request_id: string | null;
  readonly markers: readonly string[];
  /** Every id that the answer or a record told. */
  readonly ids: readonly string[];
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly from_ms: number | null;
  readonly to_ms: number | null;
  /** As its record counts them. */
  readonly tokens: Tokens | null;
  readonly state: SaleState;
  /** All its charges; null where they cannot be read. */
  readonly charged: PicoUsd | null;
  /** Charges beyond the first that the audit of the bill proved, inside `charged`. */
  readonly surplus: readonly PicoUsd[];
}

/** Input, output, cache read, cache write. */
export type Tokens = readonly [bigint, bigint, bigint, bigint];

/** The sales of a judged bill. `nonce`: that of the plan, by which prompts are marked; null where no run of ours made the calls. */
export function salesOf(
  { calls, sums, findings }: Pick<Reconciliation, 'calls' | 'sums' | 'findings'>,
  nonce: string | null,
): readonly Sale[] {
  const surplus = Map.groupBy(
    findings.filter(({ class: found }) => found === 'duplicate_charge'),
    ({ request_id }) => request_id ?? '',
  );
  const inSum = new Set(sums.flatMap(({ call_ids }) => call_ids));
  const byId = new Map(calls.map((call) => [call.call_id, call]));
  return [
    ...calls
      .filter(({ call_id }) => call_id === null || !inSum.has(call_id))
      .map((call) => saleOf(call, nonce, surplusOf(call, surplus))),
    ...sums.map((sum) =>
      saleOfSum(
        sum,
        sum.call_ids.flatMap((id) => byId.get(id) ?? []),
        nonce,
      ),
    ),
  ];
}

type Surplus = ReadonlyMap<string, readonly { readonly delta_exact: string | null }[]>;

function surplusOf({ records = [] }: JudgedCall, surplus: Surplus): readonly PicoUsd[] {
  const requests = new Set(records.map(({ request_id }) => request_id).filter((id) => id !== ''));
  return [...requests].flatMap((id) =>
    (surplus.get(id) ?? []).flatMap(({ delta_exact }) => parseAmount(delta_exact) ?? []),
  );
}

function saleOf(call: JudgedCall, nonce: string | null, surplus: readonly PicoUsd[]): Sale {
  const { records = [], row, call_id } = call;
  const created = records.map(({ created_at }) => created_at).find((at) => at !== null) ?? null;
  const started = row === null ? null : parseInstant(row.started_at);
  const from_ms = started ?? (created === null ? null : created * 1000);
  return {
    call_id,
    request_id: call.request_id,
    markers: markersOf([call], nonce),
    ids: [...new Set([...idsOfCall(call), ...records.flatMap(idsOfRecord)])],
    model: call.model ?? records[0]?.model ?? '',
    from_ms,
    to_ms: from_ms === null ? null : from_ms + (row?.end_ms ?? 0),
    tokens: tokensOf(call.record),
    state: stateOf(call),
    charged: records.length === 0 ? 0n : parseAmount(call.charged),
    surplus,
  };
}

function saleOfSum(sum: JudgedSum, calls: readonly JudgedCall[], nonce: string | null): Sale {
  const { records = [] } = sum;
  const times = calls.flatMap(({ started_at }) => parseInstant(started_at ?? '') ?? []);
  return {
    call_id: sum.call_ids[0] ?? null,
    request_id: null,
    markers: markersOf(calls, nonce),
    ids: [...new Set([...calls.flatMap(idsOfCall), ...records.flatMap(idsOfRecord)])],
    model: calls[0]?.model ?? '',
    from_ms: times.length === 0 ? null : Math.min(...times),
    to_ms: times.length === 0 ? null : Math.max(...times),
    tokens: null,
    state: sum.charged === null ? 'pending' : 'recorded',
    charged: parseAmount(sum.charged),
    surplus: [],
  };
}

function stateOf({ records = [], verdict, call_id, charged }: JudgedCall): SaleState {
  if (records.length > 0 || call_id === null)
    return verdict === 'provisional' && (parseAmount(charged) ?? 0n) === 0n ? 'pending' : 'recorded';
  if (verdict === 'finding') return 'unrecorded';
  if (verdict === 'provisional') return 'waiting';
  return verdict === 'not_charged' ? 'let_off' : 'not_read';
}

function markersOf(calls: readonly JudgedCall[], nonce: string | null): readonly string[] {
  if (nonce === null) return [];
  return calls.flatMap(({ call_id }) => (call_id === null ? [] : [markerOf(nonce, call_id)]));
}

function idsOfCall({ request_id, row }: JudgedCall): readonly string[] {
  return [request_id, ...(row?.request_ids ?? []), row?.response_id ?? null, row?.job?.id ?? null].filter(
    (id): id is string => id !== null && id !== '',
  );
}

function idsOfRecord({ id, request_id, upstream_ids = [] }: RecordFacts): readonly string[] {
  return [id, request_id, ...upstream_ids].filter((each) => each !== '');
}

function tokensOf(record: RecordFacts | null): Tokens | null {
  if (record === null) return null;
  const { input, output, cache_read, cache_write } = record;
  if (input === null || output === null || cache_read === null || cache_write === null) return null;
  return input + output === 0n ? null : [input, output, cache_read, cache_write];
}

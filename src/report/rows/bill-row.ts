import { createHash } from 'node:crypto';
import type { Finding } from '../../contracts/finding.ts';
import type { JudgedCall, Reconciliation, RecordFacts, RowMoney } from '../../contracts/reconciliation.ts';
import { compareText } from '../../core/compare-text.ts';

/**
 * One row of the audited bill: a judged call with its records, a record without a call, or the common sum of calls of
 * which nothing tells whose record is whose. Over all rows but foreign ones the sums are those of the result.
 */
export interface BillRow {
  /** Stable over re-runs, and of one row only. */
  readonly id: string;
  readonly run_id: string;
  /** Null for a common sum. */
  readonly call: JudgedCall | null;
  /** Calls of a common sum; else none. */
  readonly sum_of: readonly string[];
  readonly records: readonly RecordFacts[];
  readonly money: RowMoney | null;
  /** Gravest first; findings over many rows stand at none of them. */
  readonly findings: readonly Finding[];
  /** Milliseconds since the epoch; null where nothing was read. */
  readonly read_ms: number | null;
}

/** In the order of the calls, the common sums behind them. */
export function billRows(runId: string, reconciliation: Reconciliation): readonly BillRow[] {
  const { calls, sums, findings, completeness } = reconciliation;
  const read = completeness.last_read_at === null ? Number.NaN : Date.parse(completeness.last_read_at);
  const common = { run_id: runId, read_ms: Number.isNaN(read) ? null : read };
  const findingsOf = findingsByRow(findings);
  const idOf = rowIds();
  return [
    ...calls.map((call) => ({
      ...common,
      id: idOf([call.call_id, call.request_id, ...call.record_ids]),
      call,
      sum_of: [],
      records: call.records ?? [],
      money: call.money ?? null,
      findings: findingsOf(call),
    })),
    ...sums.map(({ call_ids, records, money }) => ({
      ...common,
      id: idOf(['sum', ...call_ids]),
      call: null,
      sum_of: call_ids,
      records: records ?? [],
      money: money ?? null,
      findings: [],
    })),
  ];
}

/** Equal rows (a record that is served twice) are told apart by their order. */
function rowIds(): (parts: readonly (string | null)[]) => string {
  const seen = new Map<string, number>();
  return (parts) => {
    const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return count === 1 ? hash : `${hash}-${count}`;
  };
}

/** By the call where a finding names one, else by one of its records, else by its request. */
function findingsByRow(findings: readonly Finding[]): (call: JudgedCall) => readonly Finding[] {
  const single = findings.filter(({ rows }) => rows === 1);
  const byCall = Map.groupBy(single, ({ call_id }) => call_id);
  const rest = single.filter(({ call_id }) => call_id === null);
  const byRequest = Map.groupBy(rest, ({ request_id }) => request_id);
  return ({ call_id, request_id, record_ids }) => {
    const records = new Set(record_ids.map((id) => `record:${id}`));
    const ofRequest = (request_id === null ? undefined : byRequest.get(request_id)) ?? [];
    return [
      ...((call_id === null ? undefined : byCall.get(call_id)) ?? []),
      ...ofRequest.filter(({ evidence }) => evidence.some((item) => records.has(item))),
    ].toSorted((left, right) => compareText(left.severity, right.severity));
  };
}

import { isNotOurs } from '../../contracts/match-pass.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { PaidCall } from '../../reconcile/records/paid-call.ts';

/** Clocks of gateways are this far away from ours, and a run is noted before its first call. */
export const MARGIN_MS = 5 * 60_000;

/** Records that no id of the ledger tells. */
export interface UnnamedRecords {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly ids: ReadonlySet<string>;
  /** Some of them are, or could be, taken for something of the ledger's: then even a late record of another run matters. */
  readonly accused: boolean;
}

/** Null where there is none. */
export function unnamedOf({ calls, sums }: Reconciliation): UnnamedRecords | null {
  const byId: readonly string[] = ['request_id', 'other_id', 'linked_id'];
  const other = calls.filter(({ match, record_ids }) => record_ids.length > 0 && !byId.includes(match));
  const records = [...other, ...sums].flatMap((each) => each.records ?? []);
  const dated = records.flatMap(({ created_at }) => (created_at === null ? [] : [created_at * 1000]));
  if (dated.length === 0) return null;
  return {
    from_ms: dated.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY),
    to_ms: dated.reduce((most, ms) => Math.max(most, ms), Number.NEGATIVE_INFINITY),
    ids: new Set(records.map(({ request_id }) => request_id)),
    accused: other.some(({ match }) => !isNotOurs(match)),
  };
}

/** True where a record of the call may be among them. */
export function isOfUnnamed(call: PaidCall, { from_ms, to_ms, ids }: UnnamedRecords): boolean {
  const told = [...call.request_ids, ...call.linked_ids].some((id) => ids.has(id));
  return told || (call.started_ms - MARGIN_MS <= to_ms && call.ended_ms + MARGIN_MS >= from_ms);
}

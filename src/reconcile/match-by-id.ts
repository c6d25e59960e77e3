import type { PaidCall } from './paid-call.ts';
import type { ServedRecord } from './served-record.ts';

export interface IdMatch {
  /** The records of each matched call, by call id. */
  readonly groups: ReadonlyMap<string, readonly ServedRecord[]>;
  readonly unmatched_records: readonly ServedRecord[];
}

/**
 * Exact matching: first every call by its own request id, then by the other ids of its answer, then by task and
 * response ids. All records of one id go to one call.
 */
export function matchById(calls: readonly PaidCall[], records: readonly ServedRecord[]): IdMatch {
  const free = Map.groupBy(records, ({ request_id }) => request_id);
  free.delete('');
  const groups = new Map<string, readonly ServedRecord[]>();
  const passes: readonly ((call: PaidCall) => readonly string[])[] = [
    (call) => call.request_ids.slice(0, 1),
    (call) => call.request_ids.slice(1),
    (call) => call.linked_ids,
  ];
  for (const idsOf of passes) {
    for (const call of calls) {
      if (groups.has(call.call_id)) continue;
      const id = idsOf(call).find((candidate) => free.has(candidate));
      if (id === undefined) continue;
      groups.set(call.call_id, free.get(id) ?? []);
      free.delete(id);
    }
  }
  const matched = new Set([...groups.values()].flat());
  return { groups, unmatched_records: records.filter((record) => !matched.has(record)) };
}

import type { ServedRecord } from '../records/served-record.ts';

/** The records of one request, which come from one call. */
export type RequestGroup = readonly [ServedRecord, ...ServedRecord[]];

/** Records by request id; a record without one stands alone, as does each of several that have no id at all. */
export function requestGroups(records: readonly ServedRecord[]): readonly RequestGroup[] {
  const byRequest = Map.groupBy<string | ServedRecord, ServedRecord>(
    records,
    (record) => record.request_id || (record.id === '' ? record : record.key),
  );
  return [...byRequest.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [[first, ...rest] as const],
  );
}

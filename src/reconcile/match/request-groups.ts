import type { ServedRecord } from '../records/served-record.ts';

/** The records of one request, which come from one call. */
export type RequestGroup = readonly [ServedRecord, ...ServedRecord[]];

/** Records by request id; a record without one stands alone. */
export function requestGroups(records: readonly ServedRecord[]): readonly RequestGroup[] {
  const byRequest = Map.groupBy(records, (record) => record.request_id || record.key);
  return [...byRequest.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [[first, ...rest] as const],
  );
}

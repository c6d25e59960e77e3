import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';

export function evidenceOf(record: ServedRecord, call: PaidCall | null): readonly string[] {
  return [
    `record:${record.id}`,
    ...(record.request_id === '' ? [] : [`request:${record.request_id}`]),
    ...(call === null ? [] : [`call:${call.call_id}`]),
  ];
}

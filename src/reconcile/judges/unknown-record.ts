import type { Finding } from '../../contracts/finding.ts';
import { chargeOf, isZero } from '../expect/charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import { waitOfRecord } from './deadline.ts';
import { evidenceOf } from './evidence-of.ts';
import { makeFinding } from './make-finding.ts';
import { WORDING } from './wording.ts';

/** A record whose status tells nothing about its charge, and which shows none. */
export function unknownRecord(
  context: JudgeContext,
  record: ServedRecord,
  call: PaidCall | null,
): readonly Finding[] {
  if (record.role !== 'unknown' || record.malformed.includes('billing_status')) return [];
  const charge = chargeOf(record, context.settings);
  if (charge === null || !isZero(charge)) return [];
  const wait = waitOfRecord(context, 'unknown_records', call, record);
  const { lo, text } = record.reserved;
  return [
    makeFinding({
      class: 'unknown_records',
      rule: 'status_unknown',
      confidence: 'proved',
      delta: null,
      evidence: evidenceOf(record, call),
      request_id: record.request_id === '' ? null : record.request_id,
      call_id: call?.call_id ?? null,
      model: record.model,
      ...WORDING.unknown_record({
        id: record.id,
        status: record.billing_status,
        reserved: lo === null ? JSON.stringify(text) : signedUsdText(lo),
        late: !wait.provisional,
      }),
      ...wait,
    }),
  ];
}

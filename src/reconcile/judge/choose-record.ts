import { chargeOf, isCharging, overlaps } from '../expect/charge.ts';
import { expectedCharge } from '../expect/expected-charge.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { StatusRole } from '../records/status-role.ts';

const ROLE_ORDER: readonly StatusRole[] = ['settled', 'refunded', 'waived', 'pending', 'unknown'];

/**
 * The record of a group that stands for the call; the others are surplus. A charge that fits the call comes first, so
 * that of two records the wrong one is the surplus one; then any charge, then the earliest.
 */
export function chooseRecord(
  context: JudgeContext,
  call: PaidCall,
  group: readonly ServedRecord[],
): ServedRecord {
  const [only] = group;
  if (only !== undefined && group.length === 1) return only;
  const ranked = group.map((record) => ({ record, rank: rankOf(context, call, record) }));
  const best = ranked.reduce((first, next) => (next.rank < first.rank ? next : first));
  return best.record;
}

function rankOf(context: JudgeContext, call: PaidCall, record: ServedRecord): number {
  const charge = chargeOf(record, context.settings);
  if (isCharging(record) && charge !== null && charge.hi > 0n) {
    const expected = expectedCharge(context, call, record, bookOf(context, record));
    const fits = !('unknown' in expected) && overlaps(charge, expected);
    return fits ? 0 : 1;
  }
  return 2 + ROLE_ORDER.indexOf(record.role);
}

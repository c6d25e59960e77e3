import type { JudgeContext } from '../expect/judge-context.ts';
import type { ServedRecord } from '../records/served-record.ts';

/**
 * True where a record took more than it had reserved, by its own figures. A trusted account reserves nothing, and an
 * amount that is meant before refunds is the reserve itself.
 */
export function isAboveReserve(context: JudgeContext, { role, amount, reserved }: ServedRecord): boolean {
  if (role !== 'settled' || context.settings.amount_meaning === 'gross') return false;
  return amount.lo !== null && reserved.hi !== null && reserved.hi > 0n && amount.lo > reserved.hi;
}

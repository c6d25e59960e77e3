import type { PaidCall } from '../records/paid-call.ts';
import type { MatchedGroup } from './cache-semantics.ts';
import { wasCut } from './policy.ts';

/** Records of cut calls whose flag says that their usage is estimated. */
export function flaggedEstimates(matched: readonly MatchedGroup[]): number {
  return matched.filter(({ call, records }) => lacksUsage(call) && records.some((one) => one.usage_estimated))
    .length;
}

/** True where a call was cut before its final usage came. */
export function lacksUsage(call: PaidCall): boolean {
  return wasCut(call) && ((call.row?.usage?.output ?? null) === null || isFirstUsage(call));
}

/** A stream of messages begins with a count of output; the final one comes with the reason of its end. */
function isFirstUsage({ kind, row }: PaidCall): boolean {
  return kind === 'messages' && row !== null && row.finish === null;
}

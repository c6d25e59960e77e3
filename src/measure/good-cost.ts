import { AMOUNT_SCALE, formatAmount, type PicoUsd } from '../core/amount.ts';
import { parseDecimal } from '../core/decimal.ts';
import { type CallCosts, sumCosts } from './call-costs.ts';
import type { LogicalCall } from './logical-call.ts';

/** What calls cost against how many of them are good: an exact fraction, for a quotient has no last digit. */
export interface GoodCost {
  readonly spent: PicoUsd;
  readonly good: number;
}

/** Null where no cost is known, or no call is good. Failed calls and further attempts are paid for, too. */
export function goodCost(
  calls: readonly LogicalCall[],
  good: number,
  costs: CallCosts | null,
): GoodCost | null {
  if (costs === null || good === 0) return null;
  const ids = calls.flatMap(({ attempts }) =>
    attempts.filter(({ outcome }) => outcome !== 'not_sent').map(({ call_id }) => call_id),
  );
  const spent = sumCosts(ids, costs);
  return spent === null ? null : { spent, good };
}

/** USD for 1,000 good calls, to the nearest 10⁻¹² USD. */
export function per1000Text({ spent, good }: GoodCost): string {
  const count = BigInt(good);
  return formatAmount((2n * spent * 1000n + count) / (2n * count));
}

/** Exact: spent × 1,000 ≤ most × good, with no division. */
export function isWithinUsd({ spent, good }: GoodCost, mostUsd: string): boolean {
  const most = parseDecimal(mostUsd);
  if (most === null) return false;
  const scale = 10n ** BigInt(most.scale);
  return spent * 1000n * scale <= most.digits * BigInt(good) * 10n ** BigInt(AMOUNT_SCALE);
}

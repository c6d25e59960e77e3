import { AMOUNT_SCALE, formatAmount, type PicoUsd } from '../core/amount.ts';
import { parseDecimal } from '../core/decimal.ts';
import { type CallCosts, sumCosts } from './call-costs.ts';
import type { LogicalCall } from './logical-call.ts';

/** What calls cost against how many of them are good: an exact fraction, for a quotient has no last digit. */
export interface GoodCost {
  readonly spent: PicoUsd;
  readonly good: number;
  /** True where `spent` is an upper bound: the charge of a call is still open. */
  readonly at_most: boolean;
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
  return spent === null ? null : { spent: spent.amount, good, at_most: spent.at_most };
}

/** USD charged for calls that we cut on purpose; null where no bill was read, or their part of a sum is not known. */
export function abortedUsd(calls: readonly LogicalCall[], costs: CallCosts | null): string | null {
  if (costs === null) return null;
  const ids = calls.flatMap(({ attempts }) =>
    attempts.filter(({ outcome }) => outcome === 'aborted').map(({ call_id }) => call_id),
  );
  const sum = sumCosts(ids, costs);
  return sum === null || sum.at_most ? null : formatAmount(sum.amount);
}

/** USD for 1,000 good calls, to the nearest 10⁻¹² USD. */
export function per1000Text({ spent, good }: Pick<GoodCost, 'spent' | 'good'>): string {
  const count = BigInt(good);
  return formatAmount((2n * spent * 1000n + count) / (2n * count));
}

/** Exact: spent × 1,000 ≤ most × good, with no division. */
export function isWithinUsd({ spent, good }: Pick<GoodCost, 'spent' | 'good'>, mostUsd: string): boolean {
  const most = parseDecimal(mostUsd);
  if (most === null) return false;
  const scale = 10n ** BigInt(most.scale);
  return spent * 1000n * scale <= most.digits * BigInt(good) * 10n ** BigInt(AMOUNT_SCALE);
}

import { formatAmount } from '../../core/amount.ts';
import { claimAmount, type RowClaim } from './claimable.ts';

/** What claims come to together, USD. */
export function claimedUsd(claims: readonly Pick<RowClaim, 'claim'>[]): string {
  return formatAmount(claims.reduce((sum, { claim }) => sum + claimAmount(claim.amount), 0n));
}

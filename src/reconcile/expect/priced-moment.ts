import type { BillingTerms } from '../../contracts/billing-terms.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { parseInstant } from '../../core/time.ts';

/** How far the target's clock and the time until it accepts a call may take its price from the second of its start. */
const BEFORE_S = 2;
const AFTER_S = 10;

/**
 * Unix seconds whose prices hold for a call, by when it was sent. Null without a row, and where an agreed price begins
 * or ends so near that either may hold: the charge is then whatever either gives.
 */
export function pricedMoment({ agreed }: Pick<BillingTerms, 'agreed'>, row: CallRow | null): number | null {
  const ms = row === null ? null : parseInstant(row.started_at);
  if (ms === null) return null;
  const second = ms / 1000;
  const near = agreed
    .flatMap(({ from, until }) => [from, until])
    .some((limit) => {
      const at = limit === null ? null : parseInstant(limit);
      return at !== null && at / 1000 > second - BEFORE_S && at / 1000 < second + AFTER_S;
    });
  return near ? null : second;
}

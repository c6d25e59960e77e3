import { causeOf } from '../../contracts/acceptance.ts';
import { formatAmount } from '../../core/amount.ts';
import { plural } from '../../text/plural.ts';
import { usd } from '../words/figure-text.ts';
import { type Claimable, claimAmount, type RowClaim } from './claimable.ts';

/** Claims that share a cause, which a letter claims as one. */
export function byCause<Each extends RowClaim>(claims: readonly Each[]): readonly (readonly Each[])[] {
  return [...Map.groupBy(claims, ({ finding }) => causeOf(finding)).values()];
}

/** USD of several claims. */
export function sumOfClaims(claims: readonly Pick<RowClaim, 'claim'>[]): bigint {
  return claims.reduce((sum, { claim }) => sum + claimAmount(claim.amount), 0n);
}

/** Leaves causes aside that come to less than the user claims; null: none. */
export function aboveLeast(claimable: Claimable, least: string | null): Claimable {
  const small = byCause(claimable.claims).filter(
    (own) => least !== null && sumOfClaims(own) < claimAmount(least),
  );
  if (small.length === 0) return claimable;
  const left = small.flat();
  const sum = formatAmount(sumOfClaims(left));
  const words = `${plural(small.length, 'cause')}, each below ${usd(least)}, the least amount that is claimed`;
  return {
    ...claimable,
    claims: claimable.claims.filter((each) => !left.includes(each)),
    apart: [...claimable.apart, { what: 'small', findings: left.length, lo: sum, hi: sum, words }],
  };
}

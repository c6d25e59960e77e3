import type { PriceBook } from '../../contracts/price-book.ts';
import { compareRational, type Rational } from '../../core/rational.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { isWithinRounding } from '../../pricebook/infer/infer-rounding.ts';
import type { MatchedGroup } from './cache-semantics.ts';
import { chargeContext } from './call-facts.ts';
import { finishedCharges } from './finished-charges.ts';
import type { JudgeContext } from './judge-context.ts';

/** The one group by whose prices we are charged; or why none of them is it. */
export interface ChargedGroup {
  readonly group: string | null;
  readonly evidence: string;
  readonly contradicted: boolean;
}

/** An account may be in no group that the list names. */
const NO_GROUP = '';

/** So many charges that tell groups apart, and so many of a hundred of them, show the group. */
const LEAST_TELLING = 20;
const MOST_PERCENT = 95;

/**
 * A book may price by groups of accounts, and ours is one of them, the same for all calls. Where nobody declared which,
 * the charges tell: else any sum between the cheapest and the dearest group would pass. Null where nothing is open.
 */
export function chargedGroup(context: JudgeContext, matches: readonly MatchedGroup[]): ChargedGroup | null {
  const groups = new Set([NO_GROUP, ...context.shelf.books.flatMap(groupsOf)]);
  if (context.terms.group !== null || groups.size === 1) return null;
  const told = new Set(
    matches.flatMap(({ records }) => records.flatMap(({ price_group }) => price_group ?? [])),
  );
  const [only] = told;
  if (told.size === 1 && only !== undefined && groups.has(only))
    return { group: only, evidence: `every record that tells its group names ${only}`, contradicted: false };
  const given = finishedCharges(context, matches, (book) => groupsOf(book).length > 0)
    .map(({ call, book, facts, charged }) =>
      [...groups].map((group) => {
        const priced = evaluateCharge(book, facts, { ...chargeContext(context, call), group });
        const exact = 'unpriced' in priced ? null : priced.exact;
        return { group, exact, fits: exact !== null && isWithinRounding({ exact, charged }) };
      }),
    )
    // Where all groups have one price it is open to nobody.
    .filter((priced) => priced.some(({ exact }) => !isSame(exact, priced[0]?.exact ?? null)))
    .map((priced) => priced.filter(({ fits }) => fits).map(({ group }) => group))
    .filter(({ length }) => length < groups.size);
  const fits = [...groups].map((group) => ({
    group,
    fit: given.filter((each) => each.includes(group)).length,
  }));
  const { group, fit } = fits.reduce((most, each) => (each.fit > most.fit ? each : most));
  // What another group alone gives tells that ours changed, or that others are charged by our key.
  const isOne = given.every((each) => each.length === 0 || each.includes(group));
  const isShown = isOne && given.length >= LEAST_TELLING && fit * 100 >= given.length * MOST_PERCENT;
  return {
    group: isShown ? group : null,
    evidence: `${fit} of ${given.length} charges that tell its groups apart are by ${group || 'no group'}`,
    contradicted: !isShown && fit < given.length,
  };
}

function isSame(left: Rational | null, right: Rational | null): boolean {
  if (left === null || right === null) return left === right;
  return compareRational(left, right) === 0;
}

function groupsOf(book: PriceBook): readonly string[] {
  return [
    ...book.adjustments.map(({ group }) => group),
    ...book.models.map(({ when }) => when['group'] ?? null),
  ].filter((group) => group !== null);
}

import type { PicoUsd } from '../core/amount.ts';
import type { ModelPrice, PriceBook } from '../core/price-book.ts';
import { compareRational, type Rational } from '../core/rational.ts';
import type { ChargeLine } from '../core/reconciliation.ts';
import {
  type AdjustedBy,
  adjustedBy,
  adjustmentLine,
  adjustmentsFor,
  adjustSum,
  isApplied,
  UNADJUSTED,
} from './adjust-sum.ts';
import { type ChargeContext, worldsOf } from './charge-context.ts';
import type { ChargeFacts } from './charge-facts.ts';
import { entriesOf, matchModel } from './match-model.ts';
import { mergedLines } from './merged-lines.ts';
import { atLeast, settled } from './settle-sum.ts';
import { tierPrices } from './tier-prices.ts';
import { isFree, type TierSum, tierSums } from './tier-sums.ts';

/** A charge in USD: an exact fraction, rounded by the book's rule; an interval where a fact is bounded. */
export interface Charge {
  /** Before the last rounding; null where the facts leave an interval. */
  readonly exact: Rational | null;
  /** Lowest and highest rounded charge; equal for a point. */
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
  /** The one rounded charge; null where the facts leave an interval, or nothing rounds a longer fraction. */
  readonly rounded: PicoUsd | null;
  readonly lines: readonly ChargeLine[];
  /** Such as `context_len > 200000`; null below the first threshold, and where several tiers are possible. */
  readonly tier: string | null;
  /** Where the prices come from: the price list, an agreement or a book made by hand, or the charges themselves. */
  readonly grade: 'published' | 'declared' | 'inferred';
  /** What was taken as given although the book or the facts do not say it. */
  readonly warnings: readonly string[];
}

export interface Unpriced {
  readonly unpriced: string;
  readonly why: 'model' | 'component' | 'units' | 'ambiguous' | 'unsupported';
}

export type ChargeResult = Charge | Unpriced;

/**
 * What `book` charges for one call. Order of work: units, unit rounding, tier, components, rounding of components, sum,
 * adjustments, minimum, one rounding.
 */
export function evaluateCharge(book: PriceBook, facts: ChargeFacts, context: ChargeContext): ChargeResult {
  const adjustments = adjustmentsFor(book, context);
  const worlds = worldsOf(context, entriesOf(book, context.model), adjustments);
  if (worlds === null) {
    return { unpriced: 'time, group and key leave too many prices open', why: 'ambiguous' };
  }
  const results = worlds.map((world) => {
    const entry = matchModel(book, world);
    return 'unpriced' in entry ? entry : chargeBy(book, entry, facts, world);
  });
  const [only] = results;
  if (only === undefined) throw new RangeError('charge: no context to price in');
  if (worlds.length === 1) return only;
  const charges: Charge[] = [];
  for (const result of results) {
    // A context in which the model has no price is not the one that the call was priced in.
    if (!('unpriced' in result)) charges.push(result);
    else if (result.why !== 'model') return result;
  }
  if (charges.length === 0) return only;
  return hull(charges, ['the time, group or key that the price depends on is not known']);
}

export function gradeOf({ source }: PriceBook): Charge['grade'] {
  switch (source.kind) {
    case 'inferred':
      return 'inferred';
    case 'agreed':
    case 'csv':
    case 'yaml':
      return 'declared';
    default:
      return 'published';
  }
}

function chargeBy(
  book: PriceBook,
  entry: ModelPrice,
  facts: ChargeFacts,
  context: ChargeContext,
): ChargeResult {
  const rounding = entry.rounding ?? book.rounding;
  const applied = adjustmentsFor(book, context).filter((each) => isApplied(each, context));
  const by = applied.reduce(adjustedBy, UNADJUSTED);
  const tiers = tierSums(book, entry, facts, rounding);
  if ('unpriced' in tiers) return tiers;
  const charges = tiers.sums.map((sum): Charge => {
    const { exact, lo, hi } = bounds(book, entry, sum, by);
    return {
      exact,
      lo,
      hi,
      rounded: lo === hi ? lo : null,
      lines: [...sum.lines, ...applied.map(adjustmentLine)],
      tier: sum.tier.name,
      grade: gradeOf(book),
      warnings: tiers.warnings,
    };
  });
  const [only] = charges;
  return charges.length === 1 && only !== undefined ? only : hull(charges, []);
}

function bounds(
  book: PriceBook,
  entry: ModelPrice,
  { tier, sum, unused }: TierSum,
  by: AdjustedBy,
): Pick<Charge, 'exact' | 'lo' | 'hi'> {
  const rounding = entry.rounding ?? book.rounding;
  const minimum = entry.minimum ?? book.minimum;
  const priced =
    entry.tiers?.mode === 'graduated'
      ? tierPrices(entry).flatMap(({ components }) => components)
      : tier.components;
  const free = by.plus.num === 0n && (by.times.num === 0n || isFree(priced));
  const lo = atLeast(minimum, adjustSum(by, sum.lo), { free, unused: unused.lo });
  const hi = atLeast(minimum, adjustSum(by, sum.hi), { free, unused: unused.hi });
  const point = compareRational(lo, hi) === 0;
  return { exact: point ? lo : null, lo: settled(rounding, lo).lo, hi: settled(rounding, hi).hi };
}

/** All charges that any of several may be. */
function hull(charges: readonly Charge[], warnings: readonly string[]): Charge {
  const [first] = charges;
  if (first === undefined) throw new RangeError('charge: nothing to join');
  const lo = charges.reduce((least, each) => (each.lo < least ? each.lo : least), first.lo);
  const hi = charges.reduce((most, each) => (each.hi > most ? each.hi : most), first.hi);
  const { exact } = first;
  const same = charges.every(
    (each) => each.exact !== null && exact !== null && compareRational(each.exact, exact) === 0,
  );
  return {
    exact: same ? exact : null,
    lo,
    hi,
    rounded: lo === hi ? lo : null,
    lines: mergedLines(charges.map((charge) => charge.lines)),
    tier: charges.every(({ tier }) => tier === first.tier) ? first.tier : null,
    grade: first.grade,
    warnings: [...new Set([...charges.flatMap((charge) => charge.warnings), ...warnings])],
  };
}

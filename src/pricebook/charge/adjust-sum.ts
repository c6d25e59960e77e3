import type { Adjustment, PriceBook } from '../../contracts/price-book.ts';
import type { ChargeLine } from '../../contracts/reconciliation.ts';
import {
  addRational,
  multiplyRational,
  type Rational,
  rational,
  subtractRational,
} from '../../core/rational.ts';
import type { ChargeContext } from './charge-context.ts';
import { exact, rationalText } from './charge-term.ts';
import { isInForce } from './in-force.ts';

/** What adjustments make of a sum x, all together: times × x + plus. */
export interface AdjustedBy {
  readonly times: Rational;
  readonly plus: Rational;
}

const ONE = rational(1n, 1n);
export const UNADJUSTED: AdjustedBy = { times: ONE, plus: rational(0n, 1n) };

/** Those that may apply to calls of a model and endpoint, in the order in which they do. */
export function adjustmentsFor(
  book: PriceBook,
  { model, endpoint }: Pick<ChargeContext, 'model' | 'endpoint'>,
): readonly Adjustment[] {
  return book.adjustments
    .filter(
      (each) =>
        (each.model === null || each.model === model) &&
        (each.endpoint === null || each.endpoint === endpoint),
    )
    .sort((left, right) => left.order - right.order);
}

/** Those of them that apply in a complete context. */
export function isApplied(
  { group, key_fp, ...validity }: Adjustment,
  context: Pick<ChargeContext, 'group' | 'key_fp' | 'at_s'>,
): boolean {
  return (
    (group === null || group === context.group) &&
    (key_fp === null || key_fp === context.key_fp) &&
    (context.at_s === null || isInForce(validity, context.at_s))
  );
}

/** One adjustment after all before it. */
export function adjustedBy(before: AdjustedBy, { kind, factor }: Adjustment): AdjustedBy {
  const value = exact(factor);
  if (kind === 'surcharge') return { times: before.times, plus: addRational(before.plus, value) };
  const by = factorOf(kind, value);
  return { times: multiplyRational(before.times, by), plus: multiplyRational(before.plus, by) };
}

export function adjustSum({ times, plus }: AdjustedBy, sum: Rational): Rational {
  return addRational(multiplyRational(sum, times), plus);
}

export function adjustmentLine({ name, kind, factor }: Adjustment): ChargeLine {
  const value = exact(factor);
  const subtotal =
    kind === 'surcharge' ? `+ ${rationalText(value)}` : `× ${rationalText(factorOf(kind, value))}`;
  return { meter: `adjustment:${name}`, units: '1', price: factor, per: '1', subtotal };
}

function factorOf(kind: 'multiplier' | 'discount' | 'markup', factor: Rational): Rational {
  switch (kind) {
    case 'multiplier':
      return factor;
    case 'discount':
      return subtractRational(ONE, factor);
    case 'markup':
      return addRational(ONE, factor);
  }
}

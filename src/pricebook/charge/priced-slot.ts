import type { PriceComponent, Rounding } from '../../contracts/price-book.ts';
import { addRational, compareRational, RATIONAL_ZERO, type Rational, rational } from '../../core/rational.ts';
import type { UnitSpan } from './charge-facts.ts';
import { type RationalSpan, unitPrice } from './charge-term.ts';
import { componentCharge, componentSlack } from './component-charge.ts';
import { larger, smaller } from './share-units.ts';
import type { TierPrices } from './tier-prices.ts';

/** Units of one meter and how they are priced. */
export interface PricedSlot {
  readonly meter: string;
  readonly units: UnitSpan;
  /** The lowest and highest price that one of the units may have. */
  readonly cheap: Rational;
  readonly dear: Rational;
  /** How far rounding of this meter alone may lie off the plain product. */
  readonly slack: Rational;
  readonly price: string;
  readonly per: string;
  /** The charge of so many units, never less for more of them; null where it hangs on other meters too. */
  readonly charge: ((units: bigint) => RationalSpan) | null;
}

/** Units that are all priced alike: by one component, or by one of several where it is not known which. */
export function flatSlot(
  meter: string,
  units: UnitSpan,
  components: readonly PriceComponent[],
  rounding: Rounding,
): PricedSlot | null {
  const [cheapest, dearest] = extremes(components);
  if (cheapest === undefined || dearest === undefined) return null;
  return {
    meter,
    units,
    cheap: unitPrice(cheapest),
    dear: unitPrice(dearest),
    slack: components.map((each) => componentSlack(each, rounding)).reduce(dearer, RATIONAL_ZERO),
    price: slotPriceText(cheapest, dearest),
    per: cheapest.per,
    charge: (count) => slotCharge(components, rational(count, 1n), rounding),
  };
}

/** One tier of a meter: the component that prices it there. */
export interface GraduatedPrice {
  readonly tier: TierPrices;
  readonly component: PriceComponent;
}

/** Units of which each is priced by the tier that its place falls in; `before` units count before the first of them. */
export function graduatedSlot(
  meter: string,
  units: UnitSpan,
  before: UnitSpan,
  prices: readonly GraduatedPrice[],
  rounding: Rounding,
): PricedSlot | null {
  const last = before.hi + units.hi;
  const reached = prices
    .filter(({ tier }) => firstPlace(tier) <= larger(last, 1n))
    .map(({ component }) => component);
  const [cheapest, dearest] = extremes(reached);
  if (cheapest === undefined || dearest === undefined) return null;
  return {
    meter,
    units,
    cheap: unitPrice(cheapest),
    dear: unitPrice(dearest),
    slack: reached.map((each) => componentSlack(each, rounding)).reduce(addRational, RATIONAL_ZERO),
    price: slotPriceText(cheapest, dearest),
    per: cheapest.per,
    charge:
      before.lo !== before.hi
        ? null
        : (count) => {
            const sum = prices
              .map(({ tier, component }) =>
                componentCharge(component, rational(placesIn(tier, before.lo, count), 1n), rounding),
              )
              .reduce(addRational, RATIONAL_ZERO);
            return { lo: sum, hi: sum };
          },
  };
}

/** How many of the units at places `before` + 1 to `before` + `count` lie in a tier. */
function placesIn(tier: TierPrices, before: bigint, count: bigint): bigint {
  const first = larger(firstPlace(tier), before + 1n);
  const last = tier.to === null ? before + count : smaller(tier.to, before + count);
  return last < first ? 0n : last - first + 1n;
}

/** Units are numbered from 1; a unit is in the tier of the size that it makes the total. */
function firstPlace({ from }: TierPrices): bigint {
  return larger(from, 1n);
}

export function slotCharge(
  components: readonly PriceComponent[],
  units: Rational,
  rounding: Rounding,
): RationalSpan {
  const [only, second] = components;
  if (only !== undefined && second === undefined) {
    const sum = componentCharge(only, units, rounding);
    return { lo: sum, hi: sum };
  }
  const charges = components.map((component) => componentCharge(component, units, rounding));
  const first = charges[0] ?? RATIONAL_ZERO;
  return { lo: charges.reduce(cheaper, first), hi: charges.reduce(dearer, first) };
}

/** The cheapest and the dearest component. */
export function extremes(components: readonly PriceComponent[]): readonly PriceComponent[] {
  if (components.length < 2) return [...components, ...components];
  const sorted = [...components].sort((left, right) => compareRational(unitPrice(left), unitPrice(right)));
  const [first] = sorted;
  const last = sorted.at(-1);
  return first === undefined || last === undefined ? [] : [first, last];
}

export function slotPriceText(cheapest: PriceComponent, dearest: PriceComponent): string {
  const same = compareRational(unitPrice(cheapest), unitPrice(dearest)) === 0;
  return same ? cheapest.price : `${cheapest.price}..${dearest.price}`;
}

export function dearer(left: Rational, right: Rational): Rational {
  return compareRational(left, right) >= 0 ? left : right;
}

export function cheaper(left: Rational, right: Rational): Rational {
  return compareRational(left, right) <= 0 ? left : right;
}

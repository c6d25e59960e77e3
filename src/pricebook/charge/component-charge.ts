import type { PriceComponent, Rounding } from '../../contracts/price-book.ts';
import { parseDecimal } from '../../core/decimal.ts';
import {
  addRational,
  compareRational,
  multiplyRational,
  RATIONAL_ZERO,
  type Rational,
  rationalOf,
} from '../../core/rational.ts';
import { type RoundingMode, roundToQuantum } from '../../core/rounding.ts';
import { exact, unitPrice } from './charge-term.ts';

/** USD for units of one component: units rounded, priced, and rounded again where a rule says so before the sum. */
export function componentCharge(component: PriceComponent, units: Rational, rounding: Rounding): Rational {
  const charge = multiplyRational(unitPrice(component), billedUnits(component, units));
  const rule = ruleBeforeSum(component, rounding);
  return rule === null ? charge : roundedTo(charge, rule.quantum, rule.mode);
}

/** How far the charge of some units may lie above or below the plain product, USD. */
export function componentSlack(component: PriceComponent, rounding: Rounding): Rational {
  const rule = ruleBeforeSum(component, rounding);
  const quantum = rule === null ? RATIONAL_ZERO : exact(rule.quantum);
  const { unit_rounding } = component;
  if (unit_rounding === undefined) return quantum;
  const units = addRational(exact(unit_rounding.step), exact(unit_rounding.at_least));
  return addRational(quantum, multiplyRational(unitPrice(component), units));
}

/** Units as they are priced. None stay none: a meter that a call did not use has no least. */
function billedUnits({ unit_rounding }: PriceComponent, units: Rational): Rational {
  if (unit_rounding === undefined || units.num === 0n) return units;
  const rounded = roundedTo(units, unit_rounding.step, unit_rounding.mode);
  const least = exact(unit_rounding.at_least);
  return compareRational(rounded, least) < 0 ? least : rounded;
}

function roundedTo(value: Rational, quantum: string, mode: RoundingMode): Rational {
  const step = parseDecimal(quantum);
  if (step === null) throw new RangeError(`charge: expected a decimal, found ${JSON.stringify(quantum)}`);
  return rationalOf(roundToQuantum(value, step, mode));
}

function ruleBeforeSum(
  { meter }: PriceComponent,
  rounding: Rounding,
): { readonly quantum: string; readonly mode: RoundingMode } | null {
  const own = rounding.pre.find((rule) => rule.meter === meter);
  if (own !== undefined) return own;
  return rounding.scope === 'component' ? rounding : null;
}

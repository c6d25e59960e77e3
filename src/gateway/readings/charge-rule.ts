import { parseDecimal } from '../../core/decimal.ts';
import { ROUNDING_RULES, type RoundingRule } from '../prices/rounding-rule.ts';
import type { Readings } from './readings.ts';

/** Read once for each gateway: every call asks for it. */
const RULES = new WeakMap<Readings, RoundingRule>();

/** The rule by which every call of a gateway is charged: the one of its readings. */
export function chargeRule(readings: Readings): RoundingRule {
  const held = RULES.get(readings) ?? readRule(readings);
  RULES.set(readings, held);
  return held;
}

function readRule({ rounding, least_charge, price_factor }: Readings): RoundingRule {
  const factor = parseDecimal(price_factor);
  const changed = factor === null || price_factor === '1' ? {} : { factor };
  return { ...ROUNDING_RULES[rounding], ...(least_charge ? { least: true } : {}), ...changed };
}

import { parseDecimal } from '../../core/decimal.ts';
import { ROUNDING_RULES, type RoundingRule } from '../prices/rounding-rule.ts';
import type { Readings } from './readings.ts';

/** What of a call decides whether the factor of the readings is for it. */
interface FactoredCall {
  readonly key: { readonly ordinal: number };
  readonly model: { readonly id: string };
  /** Milliseconds since the epoch. */
  readonly wallMs: number;
}

interface Rules {
  readonly plain: RoundingRule;
  readonly factored: RoundingRule;
}

/** Read once for each gateway: every call asks for them. */
const RULES = new WeakMap<Readings, Rules>();

interface Accepting {
  readonly readings: Readings;
  readonly clock: { wallMs(): number };
}

/** The rule by which a call is charged that is accepted now. */
export function chargeRule(
  { readings, clock }: Accepting,
  key: FactoredCall['key'],
  model: FactoredCall['model'],
): RoundingRule {
  const held = RULES.get(readings) ?? readRules(readings);
  RULES.set(readings, held);
  return IS_FACTORED[readings.factor_by]({ key, model, wallMs: clock.wallMs() }) ? held.factored : held.plain;
}

/** The rule of every call, before any factor. */
export function unfactoredRule({ rounding, least_charge }: Readings): RoundingRule {
  return { ...ROUNDING_RULES[rounding], ...(least_charge ? { least: true } : {}) };
}

function readRules(readings: Readings): Rules {
  const plain = unfactoredRule(readings);
  const factor = parseDecimal(readings.price_factor);
  return { plain, factored: factor === null || readings.price_factor === '1' ? plain : { ...plain, factor } };
}

const HOUR_MS = 3_600_000;

const IS_FACTORED: Readonly<Record<Readings['factor_by'], (call: FactoredCall) => boolean>> = {
  account: () => true,
  model: ({ model }) => isFactoredModel(model.id),
  hour: ({ wallMs }) => Math.floor(wallMs / HOUR_MS) % 2 === 0,
  group: ({ key }) => key.ordinal % 2 === 1,
};

function isFactoredModel(id: string): boolean {
  return /^[a-m]/.test(id);
}

/** The factor as the price book tells it. */
export function toldFactor({ factor_by, price_factor }: Readings, models: readonly string[]): object {
  switch (factor_by) {
    case 'account':
      return { account_factor: price_factor };
    case 'model':
      return {
        model_factors: Object.fromEntries(models.filter(isFactoredModel).map((id) => [id, price_factor])),
      };
    case 'hour':
      return { hour_factors: { even: price_factor, odd: '1' } };
    case 'group':
      return { group_factors: { default: price_factor, plain: '1' } };
  }
}

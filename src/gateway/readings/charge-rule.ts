import { type Decimal, parseDecimal } from '../../core/decimal.ts';
import { ROUNDING_RULES, type RoundingRule } from '../prices/rounding-rule.ts';
import type { Readings } from './readings.ts';

/** What of a call decides whether the factor of the readings is for it. */
interface FactoredCall {
  readonly key: { readonly ordinal: number; readonly group?: string | undefined };
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
  /** A dialect has factors of its own, by the group of a key. */
  readonly dialect?: { factorOf?(key: FactoredCall['key']): Decimal | null } | null;
}

/** The rule by which a call is charged that is accepted now. */
export function chargeRule(
  { readings, clock, dialect }: Accepting,
  key: FactoredCall['key'],
  model: FactoredCall['model'],
): RoundingRule {
  const held = RULES.get(readings) ?? readRules(readings);
  RULES.set(readings, held);
  const factor = dialect?.factorOf?.(key) ?? null;
  if (factor !== null) return { ...held.plain, factor };
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

/** The factor as a price book tells it. That of an hour stands in a field of this gateway's own, which nobody else knows. */
export function toldFactor(
  { book_layout, factor_by, factor_told, price_factor: factor }: Readings,
  models: readonly string[],
): object {
  if (!factor_told || factor === '1') return {};
  switch (factor_by) {
    case 'account':
      return { adjustments: [{ name: 'account', factor }] };
    case 'model':
      return {
        adjustments: models.filter(isFactoredModel).map((model) => ({ name: 'model', factor, model })),
      };
    case 'group': {
      const groups = { default: factor, plain: '1' };
      if (book_layout === 'ratio') return { group_ratio: groups };
      return {
        adjustments: Object.entries(groups).map(([group, held]) => ({ name: group, factor: held, group })),
      };
    }
    case 'hour':
      return { adjustment: { hour_factors: { even: factor, odd: '1' } } };
  }
}

import { z } from 'zod';
import type {
  Adjustment,
  Minimum,
  ModelPrice,
  PriceBook,
  PriceComponent,
  Rounding,
  Tri,
  UsageSemantics,
} from '../../contracts/price-book.ts';
import { ROUNDING_MODES } from '../../core/rounding.ts';
import { formatInstant } from '../../core/time.ts';
import { perUnit } from './components.ts';
import { plainAdjustment, plainModel } from './plain-model.ts';
import { priceText } from './price-text.ts';
import type { UnmappedKeys } from './unmapped-keys.ts';

/** A decimal of zero or more, as a JSON string or (read without loss) as a JSON number. */
export const price = z
  .string()
  .refine((text) => priceText(text) !== null, 'expected a decimal number of at least 0');

export const count = z.string().regex(/^\d{1,15}$/, 'expected a whole number');

/** What every layout of the embedded gateway's book says of itself. */
export const gatewayRules = {
  rounding: z
    .looseObject({
      scope: z.enum(['record', 'component']),
      quantum: z.string(),
      mode: z.enum(ROUNDING_MODES),
    })
    .nullish(),
  minimum_charge: price.nullish(),
  adjustments: z
    .array(
      z.looseObject({
        name: z.string(),
        factor: price,
        model: z.string().nullish(),
        group: z.string().nullish(),
      }),
    )
    .nullish(),
  usage_semantics: z
    .looseObject({
      input_includes_cache: z.boolean().nullish(),
      output_includes_reasoning: z.boolean().nullish(),
    })
    .nullish(),
};

const document = z.looseObject(gatewayRules);
type GatewayRules = z.infer<typeof document>;

export function ruleRounding({ rounding }: GatewayRules): Rounding | null {
  if (rounding === null || rounding === undefined) return null;
  const { scope, quantum, mode } = rounding;
  return { scope, quantum: priceText(quantum) ?? quantum, mode, pre: [] };
}

/** What every layout says of a whole charge, beside its rounding. */
export function chargeRules(
  rules: GatewayRules,
): Pick<PriceBook, 'minimum' | 'adjustments' | 'usage_semantics'> {
  return {
    minimum: minimumOf(rules),
    adjustments: adjustmentsOf(rules),
    usage_semantics: semanticsOf(rules),
  };
}

function minimumOf({ minimum_charge }: GatewayRules): Minimum | null {
  const amount = priceText(minimum_charge);
  return amount === null ? null : { amount, applies: 'nonzero_price', zero_tokens: 'zero' };
}

function adjustmentsOf({ adjustments }: GatewayRules): readonly Adjustment[] {
  return (adjustments ?? []).map(({ name, factor, model = null, group = null }) =>
    plainAdjustment(name, priceText(factor) ?? factor, { model, group }),
  );
}

function semanticsOf({ usage_semantics }: GatewayRules): UsageSemantics {
  const includes = tri(usage_semantics?.input_includes_cache);
  return {
    input_includes_cache: includes,
    cache_write_included: includes,
    output_includes_reasoning: tri(usage_semantics?.output_includes_reasoning),
  };
}

export function checkRules(rules: GatewayRules, unmapped: UnmappedKeys): void {
  unmapped.check('rounding', rules.rounding, ['scope', 'quantum', 'mode']);
  rules.adjustments?.forEach((adjustment) => {
    unmapped.check('adjustments[]', adjustment, ['name', 'factor', 'model', 'group']);
  });
  unmapped.check('usage_semantics', rules.usage_semantics, [
    'input_includes_cache',
    'output_includes_reasoning',
  ]);
}

/** Prices of an image model; an edit may cost a fee beside its image. */
export function imageModels(
  id: string,
  components: readonly PriceComponent[],
  { edit_fee }: { readonly edit_fee?: string | null | undefined },
): readonly ModelPrice[] {
  const fee = perUnit('request', priceText(edit_fee));
  if (fee.length === 0) return [plainModel(id, 'image', components)];
  return [
    plainModel(id, 'image', components, { endpoints: ['image', 'image_job'] }),
    plainModel(id, 'image', [...components, ...fee], { endpoints: ['image_edit', 'image_edit_job'] }),
  ];
}

/** RFC 3339 of Unix seconds; null where there are none that a date can hold. */
export function validFrom(seconds: string | null | undefined): PriceBook['valid_from'] {
  if (seconds === null || seconds === undefined || !/^\d{1,11}$/.test(seconds)) return null;
  return formatInstant(Number(seconds) * 1000);
}

/** Thresholds by which the context decides. */
export function contextTiers<Prices extends z.ZodType>(prices: Prices) {
  return z.looseObject({
    basis: z.literal('context_len'),
    mode: z.enum(['cliff', 'graduated']),
    inclusive: z.enum(['gt', 'ge']),
    thresholds: z.array(prices).min(1),
  });
}

export const CONTEXT_TIER_KEYS = ['basis', 'mode', 'inclusive', 'thresholds'];

function tri(value: boolean | null | undefined): Tri {
  return value === true ? 'yes' : value === false ? 'no' : 'unknown';
}

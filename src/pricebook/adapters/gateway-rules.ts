import { z } from 'zod';
import type { PriceBook, Rounding, Tri, UsageSemantics } from '../../contracts/price-book.ts';
import { ROUNDING_MODES } from '../../core/rounding.ts';
import { formatInstant } from '../../core/time.ts';
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
    .looseObject({ scope: z.literal('record'), quantum: z.string(), mode: z.enum(ROUNDING_MODES) })
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
  const { quantum, mode } = rounding;
  return { scope: 'record', quantum: priceText(quantum) ?? quantum, mode, pre: [] };
}

export function semanticsOf({ usage_semantics }: GatewayRules): UsageSemantics {
  const includes = tri(usage_semantics?.input_includes_cache);
  return {
    input_includes_cache: includes,
    cache_write_included: includes,
    output_includes_reasoning: tri(usage_semantics?.output_includes_reasoning),
  };
}

export function checkRules(rules: GatewayRules, unmapped: UnmappedKeys): void {
  unmapped.check('rounding', rules.rounding, ['scope', 'quantum', 'mode']);
  unmapped.check('usage_semantics', rules.usage_semantics, [
    'input_includes_cache',
    'output_includes_reasoning',
  ]);
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

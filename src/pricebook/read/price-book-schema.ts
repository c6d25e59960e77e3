import { z } from 'zod';
import {
  BOOK_KINDS,
  METERS,
  type Meter,
  PRICE_BOOK_SCHEMA,
  type PriceBook,
} from '../../contracts/price-book.ts';
import { AMOUNT_SCALE } from '../../core/amount.ts';
import { PAID_KINDS } from '../../core/call-kind.ts';
import { normalise, parseDecimal } from '../../core/decimal.ts';
import { ROUNDING_MODES } from '../../core/rounding.ts';
import { parseInstant } from '../../core/time.ts';

const MOST_DECIMALS = 24;

const decimal = z
  .string()
  .refine(
    (text) => isDecimal(text, MOST_DECIMALS),
    `expected a decimal of at least 0 in quotes, such as "0.15"`,
  );
const positive = decimal.refine((text) => /[1-9]/.test(text), 'expected more than 0');
const quantum = z
  .string()
  .refine(
    (text) => isDecimal(text, AMOUNT_SCALE) && /[1-9]/.test(text),
    `expected a decimal above 0 of at most ${AMOUNT_SCALE} decimals in quotes, such as "0.000001"`,
  );
const whole = z.string().regex(/^\d{1,15}$/, 'expected a whole number in quotes');
const name = z.string().min(1).max(200);
const moment = z
  .string()
  .refine(
    (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(text) && parseInstant(text) !== null,
    'expected a moment in UTC such as "2026-11-01T00:00:00Z"',
  );
const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'expected a time of day in UTC such as "16:30"');
const roundingMode = z.enum(ROUNDING_MODES);
const tri = z.enum(['yes', 'no', 'unknown']);
const endpoint = z.enum(PAID_KINDS);

const rounding = z.strictObject({
  scope: z.enum(['record', 'component', 'none']),
  quantum,
  mode: roundingMode,
  pre: z.array(z.strictObject({ meter: z.enum(METERS), quantum, mode: roundingMode })),
});

const minimum = z.strictObject({
  amount: decimal,
  applies: z.enum(['nonzero_price', 'always']),
  zero_tokens: z.enum(['zero', 'minimum']),
});

const semantics = z.strictObject({
  input_includes_cache: tri,
  cache_write_included: tri,
  output_includes_reasoning: tri,
});

const component = z
  .strictObject({
    meter: z.enum(METERS),
    price: decimal,
    per: positive,
    size: name.exactOptional(),
    quality: name.exactOptional(),
    resolution: name.exactOptional(),
    audio: z.boolean().exactOptional(),
    ttl: z.enum(['5m', '1h']).exactOptional(),
    mode: z.enum(['included', 'additive']).exactOptional(),
    tool: name.exactOptional(),
    unit_rounding: z.strictObject({ mode: roundingMode, step: positive, at_least: decimal }).exactOptional(),
  })
  .superRefine((value, context) => {
    for (const [option, meters] of OPTION_METERS) {
      if (value[option] === undefined || meters.includes(value.meter)) continue;
      context.addIssue({
        code: 'custom',
        path: [option],
        message: `expected only with ${meters.join(' or ')}, found with ${value.meter}`,
      });
    }
  });

/** Options that say something of a few meters only. */
const OPTION_METERS: readonly (readonly [Option, readonly Meter[]])[] = [
  ['size', ['image']],
  ['quality', ['image']],
  ['resolution', ['video_second']],
  ['audio', ['video_second']],
  ['ttl', ['cache_write_token']],
  ['mode', ['reasoning_token']],
  ['tool', ['tool_call']],
];
type Option = 'size' | 'quality' | 'resolution' | 'audio' | 'ttl' | 'mode' | 'tool';

const tiers = z.strictObject({
  basis: z.enum(['context_len', 'input', 'output', 'cumulative_day']),
  mode: z.enum(['cliff', 'graduated']),
  inclusive: z.enum(['gt', 'ge']),
  thresholds: z
    .array(z.strictObject({ above: whole, components: z.array(component).min(1) }))
    .min(1)
    .refine(
      (thresholds) => new Set(thresholds.map(({ above }) => BigInt(above))).size === thresholds.length,
      'expected each threshold once',
    ),
});

const model = z
  .strictObject({
    model: name,
    match: z.strictObject({ kind: z.enum(['exact', 'prefix', 'suffix', 'regex']), text: name }),
    priority: z.int().min(-1_000_000).max(1_000_000),
    kind: z.enum(['text', 'image', 'video']),
    endpoints: z.array(endpoint).min(1).nullable(),
    when: z.record(name, z.string()),
    valid_from: moment.nullable(),
    valid_to: moment.nullable(),
    time_of_day: z.strictObject({ from: timeOfDay, to: timeOfDay }).nullable(),
    components: z.array(component).min(1, 'expected at least one price'),
    tiers: tiers.nullable(),
    minimum: minimum.nullable(),
    rounding: rounding.nullable(),
    usage_semantics: semantics.nullable(),
    max_output_tokens: z.int().nonnegative().nullable(),
  })
  .refine(isForward, { path: ['valid_to'], message: 'expected a moment after valid_from' });

const adjustment = z
  .strictObject({
    name,
    kind: z.enum(['multiplier', 'discount', 'markup', 'surcharge']),
    factor: decimal,
    model: name.nullable(),
    endpoint: endpoint.nullable(),
    group: name.nullable(),
    key_fp: name.nullable(),
    valid_from: moment.nullable(),
    valid_to: moment.nullable(),
    order: z.int(),
  })
  .refine(isForward, { path: ['valid_to'], message: 'expected a moment after valid_from' })
  .refine(({ kind, factor }) => kind !== 'discount' || isShare(factor), {
    path: ['factor'],
    message: 'expected a share from "0" to "1": a discount of "0.1" takes a tenth off',
  });

/** A book in the normal form, strict; regular expressions over model ids are refused. */
export const priceBookSchema = bookSchema(false) satisfies z.ZodType<PriceBook>;

/** The same for a book of one's own hand: a regular expression can take very long on an id made for it. */
export const priceBookSchemaWithRegex = bookSchema(true) satisfies z.ZodType<PriceBook>;

function bookSchema(regex: boolean) {
  return z
    .strictObject({
      schema: z.literal(PRICE_BOOK_SCHEMA),
      pricebook_id: name,
      pricing_version: name,
      currency: z.literal('USD'),
      source: z.strictObject({
        kind: z.enum(BOOK_KINDS),
        sha256: z.string(),
        fetched_at: moment.nullable(),
      }),
      valid_from: moment.nullable(),
      valid_to: moment.nullable(),
      rounding,
      minimum: minimum.nullable(),
      usage_semantics: semantics,
      models: z.array(
        model.superRefine(({ match }, context) => {
          if (match.kind !== 'regex') return;
          const message = regex ? regexFault(match.text) : 'regular expressions must be allowed first';
          if (message !== null) context.addIssue({ code: 'custom', path: ['match'], message });
        }),
      ),
      adjustments: z.array(adjustment),
    })
    .refine(isForward, { path: ['valid_to'], message: 'expected a moment after valid_from' });
}

function isDecimal(text: string, decimals: number): boolean {
  const value = parseDecimal(text);
  return value !== null && value.digits >= 0n && normalise(value).scale <= decimals;
}

function isShare(text: string): boolean {
  const value = parseDecimal(text);
  return value !== null && value.digits <= 10n ** BigInt(value.scale);
}

function isForward({
  valid_from,
  valid_to,
}: {
  readonly valid_from: string | null;
  readonly valid_to: string | null;
}): boolean {
  if (valid_from === null || valid_to === null) return true;
  return (parseInstant(valid_from) ?? 0) < (parseInstant(valid_to) ?? 0);
}

function regexFault(text: string): string | null {
  try {
    new RegExp(`^(?:${text})$`, 'u');
    return null;
  } catch {
    return 'expected a regular expression';
  }
}

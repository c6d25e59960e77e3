import { z } from 'zod';
import { AMOUNT_SCALE } from '../core/amount.ts';
import { PAID_KINDS } from '../core/call-kind.ts';
import { normalise, parseDecimal } from '../core/decimal.ts';
import { ROUNDING_MODES } from '../core/rounding.ts';
import { parseInstant } from '../core/time.ts';
import type { Shape } from './shape.ts';

/** The normalised price book. Every price is a decimal string: absent means unpriced, never free. */
export const PRICE_BOOK_SCHEMA = 'weighbridge.pricebook/1';

/** The readers of books. */
export const BOOK_READERS = [
  'gateway-pricing',
  'mapping',
  'new-api',
  'litellm',
  'openrouter',
  'genai-prices',
  'csv',
  'yaml',
  'fields',
] as const;

/** The reader that a book came through, or where we made it ourselves. */
const BOOK_KINDS = [...BOOK_READERS, 'inferred', 'agreed'] as const;
export type BookKind = (typeof BOOK_KINDS)[number];

export const METERS = [
  'input_token',
  'output_token',
  'cache_read_token',
  'cache_write_token',
  'reasoning_token',
  'image_input_token',
  'image_output_token',
  'audio_input_token',
  'audio_output_token',
  'image',
  'video_second',
  'request',
  'tool_call',
  'character',
  'page',
] as const;
export type Meter = (typeof METERS)[number];

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
export type Tri = Shape<typeof tri>;
const endpoint = z.enum(PAID_KINDS);

/**
 * `record` rounds the whole charge once. `component` rounds each component to the quantum before they are added, and
 * what adjustments make of the sum again. `none` leaves the exact charge. `untold` is a rounding of which nobody said what
 * it rounds: the charge may be that of `record` or that of `component`.
 */
const rounding = z.strictObject({
  scope: z.enum(['record', 'component', 'none', 'untold']),
  /** USD; a positive decimal of at most 12 decimals. */
  quantum,
  mode: roundingMode,
  /** Components that are rounded by a rule of their own before the sum. */
  pre: z.array(z.strictObject({ meter: z.enum(METERS), quantum, mode: roundingMode })),
});
export type Rounding = Shape<typeof rounding>;

/** The least that a call costs, USD. */
const minimum = z.strictObject({
  amount: decimal,
  /** `nonzero_price`: never where all prices of the model are 0. */
  applies: z.enum(['nonzero_price', 'always']),
  /** Whether a call that used no unit of any meter costs the minimum too. */
  zero_tokens: z.enum(['zero', 'minimum']),
});
export type Minimum = Shape<typeof minimum>;

/** What the counts of the records mean. */
const semantics = z.strictObject({
  /** Whether `input_tokens` counts tokens read from the cache. */
  input_includes_cache: tri,
  /** Whether `input_tokens` counts tokens written to the cache. */
  cache_write_included: tri,
  /** Whether `output_tokens` counts reasoning tokens. */
  output_includes_reasoning: tri,
});
export type UsageSemantics = Shape<typeof semantics>;

/** Units are rounded to a multiple of `step` before they are priced; some units are never less than `at_least`. */
const unitRounding = z.strictObject({ mode: roundingMode, step: positive, at_least: decimal });

/** `price` USD for `per` units of the meter; the options narrow it where given. */
const component = z
  .strictObject({
    meter: z.enum(METERS),
    price: decimal,
    per: positive,
    size: name.exactOptional(),
    quality: name.exactOptional(),
    resolution: name.exactOptional(),
    audio: z.boolean().exactOptional(),
    /** Of `cache_write_token`: how long the entry lives. Without it the price is of every life. */
    ttl: z.enum(['5m', '1h']).exactOptional(),
    /** Of `reasoning_token`: a part of the output, or on top of it. Without it `usage_semantics` decides. */
    mode: z.enum(['included', 'additive']).exactOptional(),
    /** Of `tool_call`: the name of the tool. Without it the price is of every tool. */
    tool: name.exactOptional(),
    unit_rounding: unitRounding.exactOptional(),
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
export type PriceComponent = Shape<typeof component>;

/** Options that say something of a few meters only. */
const OPTION_METERS: readonly (readonly [Option, readonly Meter[]])[] = [
  ['size', ['image']],
  ['quality', ['image']],
  // A request where a video has one price, however long it is.
  ['resolution', ['video_second', 'request']],
  ['audio', ['video_second']],
  ['ttl', ['cache_write_token']],
  ['mode', ['reasoning_token']],
  ['tool', ['tool_call']],
];
type Option = 'size' | 'quality' | 'resolution' | 'audio' | 'ttl' | 'mode' | 'tool';

const tierThreshold = z.strictObject({ above: whole, components: z.array(component).min(1) });

/**
 * Prices that depend on a size. `cliff`: the highest threshold passed prices the whole call. `graduated`: it prices
 * the units above it alone. A price that a threshold does not restate stays as below it.
 */
const tiers = z.strictObject({
  /** `context_len` counts the whole prompt, cached or not; `input` only what is charged as plain input. */
  basis: z.enum(['context_len', 'input', 'output', 'cumulative_day']),
  mode: z.enum(['cliff', 'graduated']),
  /** Whether a size equal to the threshold stays below it (`gt`) or passes it (`ge`). */
  inclusive: z.enum(['gt', 'ge']),
  thresholds: z
    .array(tierThreshold)
    .min(1)
    .refine(
      (thresholds) => new Set(thresholds.map(({ above }) => BigInt(above))).size === thresholds.length,
      'expected each threshold once',
    ),
});
export type Tiers = Shape<typeof tiers>;

/** `regex` matches the whole id. */
const modelMatch = z.strictObject({ kind: z.enum(['exact', 'prefix', 'suffix', 'regex']), text: name });
export type ModelMatch = Shape<typeof modelMatch>;

/** `HH:MM` or `HH:MM:SS` in UTC, from (inside) to (outside); wraps midnight where `from` is not before `to`. */
const hours = z.strictObject({ from: timeOfDay, to: timeOfDay });
export type TimeOfDay = Shape<typeof hours>;

/**
 * One price of one model or family of models. Of the entries that fit a call by model, endpoint, `when` and time, the
 * one of the highest priority holds; two of that priority make the price ambiguous.
 */
const model = z
  .strictObject({
    /** The id as written in the book; what it matches is said by `match`. */
    model: name,
    match: modelMatch,
    priority: z.int().min(-1_000_000).max(1_000_000),
    kind: z.enum(['text', 'image', 'video']),
    /** Null for every endpoint of the kind. */
    endpoints: z.array(endpoint).min(1).nullable(),
    /** Context that must be equal: service_tier, group, region, mode. Empty fits every call. */
    when: z.record(name, z.string()),
    /** Half-open, RFC 3339 UTC; null: without end. */
    valid_from: moment.nullable(),
    valid_to: moment.nullable(),
    time_of_day: hours.nullable(),
    components: z.array(component).min(1, 'expected at least one price'),
    tiers: tiers.nullable(),
    /** Null: as the book says. */
    minimum: minimum.nullable(),
    rounding: rounding.nullable(),
    usage_semantics: semantics.nullable(),
    max_output_tokens: z.int().nonnegative().nullable(),
  })
  .refine(isForward, { path: ['valid_to'], message: 'expected a moment after valid_from' });
export type ModelPrice = Shape<typeof model>;

/**
 * `multiplier` × factor, `discount` × (1 − factor), `markup` × (1 + factor), `surcharge` + factor USD. A scope that is
 * null holds for all.
 */
const adjustment = z
  .strictObject({
    name,
    kind: z.enum(['multiplier', 'discount', 'markup', 'surcharge']),
    factor: decimal,
    model: name.nullable(),
    endpoint: endpoint.nullable(),
    group: name.nullable(),
    key_fp: name.nullable(),
    /** Half-open, RFC 3339 UTC; null: without end. */
    valid_from: moment.nullable(),
    valid_to: moment.nullable(),
    order: z.int(),
  })
  .refine(isForward, { path: ['valid_to'], message: 'expected a moment after valid_from' })
  .refine(({ kind, factor }) => kind !== 'discount' || isShare(factor), {
    path: ['factor'],
    message: 'expected a share from "0" to "1": a discount of "0.1" takes a tenth off',
  });
export type Adjustment = Shape<typeof adjustment>;

const bookSource = z.strictObject({
  kind: z.enum(BOOK_KINDS),
  sha256: z.string(),
  /** RFC 3339 UTC; null where the bytes do not come with it. */
  fetched_at: moment.nullable(),
});
export type BookSource = Shape<typeof bookSource>;

/** A book in the normal form, strict; regular expressions over model ids are refused. */
export const priceBookSchema = bookSchema(false);
export type PriceBook = Shape<typeof priceBookSchema>;

/** The same for a book of one's own hand: a regular expression can take very long on an id made for it. */
export const priceBookSchemaWithRegex = bookSchema(true);

function bookSchema(regex: boolean) {
  return z
    .strictObject({
      schema: z.literal(PRICE_BOOK_SCHEMA),
      pricebook_id: name,
      pricing_version: name,
      currency: z.literal('USD'),
      source: bookSource,
      /** In force from `valid_from` (inside) until `valid_to` (outside), RFC 3339 UTC; null: without end. */
      valid_from: moment.nullable(),
      valid_to: moment.nullable(),
      /** What holds for every model that says nothing else. */
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
      /** Over every matching charge, by `order`; equal orders as they stand here. */
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
}: Readonly<Record<'valid_from' | 'valid_to', string | null>>): boolean {
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

/** What a book that says nothing about its counts means. */
export const UNKNOWN_SEMANTICS: UsageSemantics = {
  input_includes_cache: 'unknown',
  cache_write_included: 'unknown',
  output_includes_reasoning: 'unknown',
};

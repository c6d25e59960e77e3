import type { PaidKind } from '../core/call-kind.ts';
import type { RoundingMode } from '../core/rounding.ts';

/** The normalised price book. Every price is a decimal string: absent means unpriced, never free. */
export const PRICE_BOOK_SCHEMA = 'weighbridge.pricebook/1';

/** The readers of books. */
export const BOOK_READERS = [
  'gateway-pricing',
  'mapping',
  'new-api',
  'litellm',
  'genai-prices',
  'llm-prices',
  'portkey',
  'csv',
  'yaml',
] as const;

/** The reader that a book came through, or where we made it ourselves. */
export const BOOK_KINDS = [...BOOK_READERS, 'inferred', 'agreed'] as const;
export type BookKind = (typeof BOOK_KINDS)[number];

export interface PriceBook {
  readonly schema: typeof PRICE_BOOK_SCHEMA;
  readonly pricebook_id: string;
  readonly pricing_version: string;
  readonly currency: 'USD';
  readonly source: BookSource;
  /** In force from `valid_from` (inside) until `valid_to` (outside), RFC 3339 UTC; null: without end. */
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  /** What holds for every model that says nothing else. */
  readonly rounding: Rounding;
  readonly minimum: Minimum | null;
  readonly usage_semantics: UsageSemantics;
  readonly models: readonly ModelPrice[];
  /** Over every matching charge, by `order`; equal orders as they stand here. */
  readonly adjustments: readonly Adjustment[];
}

export interface BookSource {
  readonly kind: BookKind;
  readonly sha256: string;
  /** RFC 3339 UTC; null where the bytes do not come with it. */
  readonly fetched_at: string | null;
}

/**
 * `record` rounds the whole charge once. `component` rounds each component to the quantum before they are added, and
 * what adjustments make of the sum again. `none` leaves the exact charge.
 */
export interface Rounding {
  readonly scope: 'record' | 'component' | 'none';
  /** USD; a positive decimal of at most 12 decimals. */
  readonly quantum: string;
  readonly mode: RoundingMode;
  /** Components that are rounded by a rule of their own before the sum. */
  readonly pre: readonly { readonly meter: Meter; readonly quantum: string; readonly mode: RoundingMode }[];
}

/** The least that a call costs, USD. */
export interface Minimum {
  readonly amount: string;
  /** `nonzero_price`: never where all prices of the model are 0. */
  readonly applies: 'nonzero_price' | 'always';
  /** Whether a call that used no unit of any meter costs the minimum too. */
  readonly zero_tokens: 'zero' | 'minimum';
}

export type Tri = 'yes' | 'no' | 'unknown';

/** What the counts of the records mean. */
export interface UsageSemantics {
  /** Whether `input_tokens` counts tokens read from the cache. */
  readonly input_includes_cache: Tri;
  /** Whether `input_tokens` counts tokens written to the cache. */
  readonly cache_write_included: Tri;
  /** Whether `output_tokens` counts reasoning tokens. */
  readonly output_includes_reasoning: Tri;
}

/**
 * One price of one model or family of models. Of the entries that fit a call by model, endpoint, `when` and time, the
 * one of the highest priority holds; two of that priority make the price ambiguous.
 */
export interface ModelPrice {
  /** The id as written in the book; what it matches is said by `match`. */
  readonly model: string;
  readonly match: ModelMatch;
  readonly priority: number;
  readonly kind: 'text' | 'image' | 'video';
  /** Null for every endpoint of the kind. */
  readonly endpoints: readonly PaidKind[] | null;
  /** Context that must be equal: service_tier, group, region, mode. Empty fits every call. */
  readonly when: Readonly<Record<string, string>>;
  /** Half-open, RFC 3339 UTC; null: without end. */
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly time_of_day: TimeOfDay | null;
  readonly components: readonly PriceComponent[];
  readonly tiers: Tiers | null;
  /** Null: as the book says. */
  readonly minimum: Minimum | null;
  readonly rounding: Rounding | null;
  readonly usage_semantics: UsageSemantics | null;
  readonly max_output_tokens: number | null;
}

/** `regex` matches the whole id. */
export interface ModelMatch {
  readonly kind: 'exact' | 'prefix' | 'suffix' | 'regex';
  readonly text: string;
}

/** `HH:MM` or `HH:MM:SS` in UTC, from (inside) to (outside); wraps midnight where `from` is not before `to`. */
export interface TimeOfDay {
  readonly from: string;
  readonly to: string;
}

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

/** `price` USD for `per` units of the meter; the options narrow it where given. */
export interface PriceComponent {
  readonly meter: Meter;
  readonly price: string;
  readonly per: string;
  readonly size?: string;
  readonly quality?: string;
  readonly resolution?: string;
  readonly audio?: boolean;
  /** Of `cache_write_token`: how long the entry lives. Without it the price is of every life. */
  readonly ttl?: '5m' | '1h';
  /** Of `reasoning_token`: a part of the output, or on top of it. Without it `usage_semantics` decides. */
  readonly mode?: 'included' | 'additive';
  /** Of `tool_call`: the name of the tool. Without it the price is of every tool. */
  readonly tool?: string;
  readonly unit_rounding?: UnitRounding;
}

/** Units are rounded to a multiple of `step` before they are priced; some units are never less than `at_least`. */
interface UnitRounding {
  readonly mode: RoundingMode;
  readonly step: string;
  readonly at_least: string;
}

/**
 * Prices that depend on a size. `cliff`: the highest threshold passed prices the whole call. `graduated`: it prices
 * the units above it alone. A price that a threshold does not restate stays as below it.
 */
export interface Tiers {
  /** `context_len` counts the whole prompt, cached or not; `input` only what is charged as plain input. */
  readonly basis: 'context_len' | 'input' | 'output' | 'cumulative_day';
  readonly mode: 'cliff' | 'graduated';
  /** Whether a size equal to the threshold stays below it (`gt`) or passes it (`ge`). */
  readonly inclusive: 'gt' | 'ge';
  readonly thresholds: readonly TierThreshold[];
}

interface TierThreshold {
  /** A whole number. */
  readonly above: string;
  readonly components: readonly PriceComponent[];
}

/**
 * `multiplier` × factor, `discount` × (1 − factor), `markup` × (1 + factor), `surcharge` + factor USD. A scope that is
 * null holds for all.
 */
export interface Adjustment {
  readonly name: string;
  readonly kind: 'multiplier' | 'discount' | 'markup' | 'surcharge';
  readonly factor: string;
  readonly model: string | null;
  readonly endpoint: PaidKind | null;
  readonly group: string | null;
  readonly key_fp: string | null;
  /** Half-open, RFC 3339 UTC; null: without end. */
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly order: number;
}

/** What a book that says nothing about its counts means. */
export const UNKNOWN_SEMANTICS: UsageSemantics = {
  input_includes_cache: 'unknown',
  cache_write_included: 'unknown',
  output_includes_reasoning: 'unknown',
};

import type { RoundingMode } from './rounding.ts';

/** The normalised price book. Every price is a decimal string: absent means unpriced, never free. */
export const PRICE_BOOK_SCHEMA = 'weighbridge.pricebook/1';

export interface PriceBook {
  readonly schema: typeof PRICE_BOOK_SCHEMA;
  readonly pricebook_id: string;
  readonly pricing_version: string;
  readonly currency: 'USD';
  readonly source: { readonly kind: string; readonly sha256: string };
  readonly rounding: BookRounding;
  readonly usage_semantics: UsageSemantics;
  readonly models: readonly ModelPrice[];
  /** Factors over every matching charge, applied in order. */
  readonly adjustments: readonly Adjustment[];
}

/** One rounding, of the sum of a record's lines, to a multiple of `quantum`. */
export interface BookRounding {
  readonly quantum: string;
  readonly mode: RoundingMode;
}

/** Whether the records of this book count cache tokens inside `input_tokens`. */
export interface UsageSemantics {
  readonly input_includes_cache: 'yes' | 'no' | 'unknown';
}

export interface ModelPrice {
  readonly model: string;
  readonly kind: 'text' | 'image' | 'video';
  readonly max_output_tokens: number | null;
  readonly components: readonly PriceComponent[];
}

export type Meter =
  | 'input_token'
  | 'output_token'
  | 'cache_read_token'
  | 'cache_write_token'
  | 'image'
  | 'video_second'
  | 'request';

/** `price` USD for `per` units of the meter; size, quality and resolution narrow it where given. */
export interface PriceComponent {
  readonly meter: Meter;
  readonly price: string;
  readonly per: string;
  readonly size?: string;
  readonly quality?: string;
  readonly resolution?: string;
}

export interface Adjustment {
  readonly name: string;
  readonly factor: string;
  /** Null for every model. */
  readonly model: string | null;
}

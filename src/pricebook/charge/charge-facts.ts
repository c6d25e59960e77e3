import type { Decimal } from '../../core/decimal.ts';

/** A count that is known, bounded on both sides (inclusive), or not known. */
export type Quantity = bigint | { readonly lo: bigint; readonly hi: bigint } | null;

/**
 * What a charge depends on. `input` counts cache reads and writes, images and audio inside it, whatever the records
 * do. A part of the input or output that is null may be any part of it; every other null leaves a meter without count.
 */
export interface ChargeFacts {
  readonly input: Quantity;
  /** As the usage tells it: with or without `reasoning`, as the price says. */
  readonly output: Quantity;
  readonly cache_read: Quantity;
  /** Of every life. */
  readonly cache_write: Quantity;
  /** The part of `cache_write` that lives for an hour; the rest lives for five minutes. */
  readonly cache_write_1h: Quantity;
  readonly reasoning: Quantity;
  readonly image_input: Quantity;
  readonly image_output: Quantity;
  readonly audio_input: Quantity;
  readonly audio_output: Quantity;
  readonly images: Quantity;
  readonly size: string | null;
  readonly quality: string | null;
  readonly seconds: Quantity;
  /** The length to the digit where it is not whole: `seconds` then holds both whole numbers around it. */
  readonly seconds_exact: Decimal | null;
  readonly resolution: string | null;
  /** Whether a video has sound. */
  readonly audio: boolean | null;
  readonly characters: Quantity;
  readonly pages: Quantity;
  /** Calls of tools that the gateway ran, by name; `{}` for none. */
  readonly tools: Readonly<Record<string, Quantity>> | null;
}

export const NO_FACTS: ChargeFacts = {
  input: null,
  output: null,
  cache_read: null,
  cache_write: null,
  cache_write_1h: null,
  reasoning: null,
  image_input: null,
  image_output: null,
  audio_input: null,
  audio_output: null,
  images: null,
  size: null,
  quality: null,
  seconds: null,
  seconds_exact: null,
  resolution: null,
  audio: null,
  characters: null,
  pages: null,
  tools: null,
};

export interface UnitSpan {
  readonly lo: bigint;
  readonly hi: bigint;
}

export function spanOf(quantity: Quantity): UnitSpan | null {
  if (quantity === null) return null;
  return typeof quantity === 'bigint' ? { lo: quantity, hi: quantity } : quantity;
}

export function isPoint(span: UnitSpan): boolean {
  return span.lo === span.hi;
}

/** A count that is known, bounded on both sides (inclusive), or not known. */
export type Quantity = bigint | { readonly lo: bigint; readonly hi: bigint } | null;

/** What a charge depends on. `input` counts cache reads and writes inside it, whatever the records do. */
export interface ChargeFacts {
  readonly input: Quantity;
  readonly output: Quantity;
  readonly cache_read: Quantity;
  readonly cache_write: Quantity;
  readonly images: Quantity;
  readonly size: string | null;
  readonly quality: string | null;
  readonly seconds: Quantity;
  readonly resolution: string | null;
}

export const NO_FACTS: ChargeFacts = {
  input: null,
  output: null,
  cache_read: null,
  cache_write: null,
  images: null,
  size: null,
  quality: null,
  seconds: null,
  resolution: null,
};

export interface Span {
  readonly lo: bigint;
  readonly hi: bigint;
}

export function spanOf(quantity: Quantity): Span | null {
  if (quantity === null) return null;
  return typeof quantity === 'bigint' ? { lo: quantity, hi: quantity } : quantity;
}

export function isPoint(span: Span): boolean {
  return span.lo === span.hi;
}

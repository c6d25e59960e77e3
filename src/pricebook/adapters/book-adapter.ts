import type { BookKind, PriceBook, Rounding } from '../../contracts/price-book.ts';
import type { BookText } from './book-text.ts';
import type { UnmappedKeys } from './unmapped-keys.ts';

/** Reads one layout of price books. */
export interface BookAdapter {
  readonly kind: BookKind;
  /** Stands in errors and in the coverage; one kind may know several layouts. */
  readonly name: string;
  /** `surely` only where no other layout can look like this. */
  recognises(value: BookText): 'surely' | 'no';
  /** `unmapped` takes every key that is not read. */
  read(value: BookText, unmapped: UnmappedKeys): AdapterReading;
}

export type AdapterReading = AdaptedBook | { readonly unreadable: readonly string[] };

/** What a layout says; a part that it is silent on is absent or null. */
export interface AdaptedBook {
  readonly parts: Partial<Omit<PriceBook, 'schema' | 'source' | 'currency' | 'rounding'>> &
    Pick<PriceBook, 'models'>;
  readonly rounding: Rounding | null;
  /** USD of which every charge is a multiple, where that is told and the direction of the rounding is not. */
  readonly rounding_unit?: string | null;
  /** Models that the source lists, read or not. */
  readonly models_total: number;
  readonly unsupported: readonly UnsupportedPrice[];
  /** What had to be taken as given to read it. */
  readonly assumptions: readonly string[];
}

/** A price that stands in the source and that the normal form cannot hold; its model is left without it. */
export interface UnsupportedPrice {
  readonly model: string;
  /** As it stands in the source, with what is the matter. */
  readonly text: string;
}

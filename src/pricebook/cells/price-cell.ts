import type { PaidKind } from '../../core/call-kind.ts';
import type { Charge } from '../charge/charge-result.ts';

/**
 * One price as whole numbers, for pricing rows by the million: prices of one unit × 10^`scale`, adjustments in them.
 * Null prices nothing; it is never 0. A row fits a cell by equal model, endpoint and `when`, by its whole input in
 * [len_from, len_to), its moment in [valid_from_s, valid_to_s), and equal size, quality and resolution where set.
 */
export interface PriceCell {
  readonly cell: number;
  readonly pricebook_id: string;
  readonly pricing_version: string;
  readonly model: string;
  readonly endpoint: PaidKind | null;
  /** Canonical JSON. */
  readonly when: string;
  readonly len_from: bigint;
  readonly len_to: bigint | null;
  /** Unix seconds. */
  readonly valid_from_s: number | null;
  readonly valid_to_s: number | null;
  readonly size: string | null;
  readonly quality: string | null;
  readonly resolution: string | null;
  readonly scale: number;
  readonly p_in: bigint | null;
  readonly p_out: bigint | null;
  readonly p_read: bigint | null;
  readonly p_write: bigint | null;
  /** Of an image or a second; with it tokens are not priced. */
  readonly p_unit: bigint | null;
  /** What a call costs whatever it uses. */
  readonly p_request: bigint;
  /** The quantum × 10^`scale`. */
  readonly d: bigint;
  readonly quantum_pico: bigint;
  /** Index into ROUNDING_MODES. */
  readonly mode: number;
  /** The least charge, rounded as the charge is. */
  readonly min_pico: bigint | null;
  /** Whether a call without any unit costs the minimum too. */
  readonly min_at_zero: boolean;
  /** `in`: `n_out` is the output as told; `add`: with the reasoning tokens added; `none`: no tokens are priced. */
  readonly reasoning: 'in' | 'add' | 'none';
  readonly grade: Charge['grade'];
}

/** Units of one row, as whole numbers; all of them are known. */
export interface CellUnits {
  /** Input that was neither read from the cache nor written to it. */
  readonly n_plain: bigint;
  readonly n_read: bigint;
  readonly n_write: bigint;
  readonly n_out: bigint;
  /** Images or seconds. */
  readonly n_unit: bigint;
}

/** Beyond these a product may leave 128 bits: such a row or price is not worked out by cells. */
export const MOST_UNITS = 10n ** 12n;
export const MOST_PRICE = 10n ** 24n;

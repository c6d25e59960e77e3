import type { PicoUsd } from '../../core/amount.ts';
import type { CellUnits, PriceCell } from './price-cell.ts';

/**
 * The charge of one row by its cell in 10⁻¹² USD: the twin of `pricedSql`, step by step. Null where a unit that was
 * used has no price.
 */
export function evaluateCell(cell: PriceCell, units: CellUnits): PicoUsd | null {
  const sum = sumOf(cell, units);
  if (sum === null) return null;
  const { d, quantum_pico, min_pico, min_at_zero } = cell;
  const q = sum / d;
  const r = sum - q * d;
  const charge = (q + (roundsUp(cell.mode, q, r, d) ? 1n : 0n)) * quantum_pico;
  const used = units.n_plain + units.n_read + units.n_write + units.n_out + units.n_unit > 0n;
  return min_pico !== null && charge < min_pico && (min_at_zero || used) ? min_pico : charge;
}

function sumOf(cell: PriceCell, { n_plain, n_read, n_write, n_out, n_unit }: CellUnits): bigint | null {
  const { p_in, p_out, p_read, p_write, p_unit, p_request } = cell;
  if (p_unit !== null) return n_unit * p_unit + p_request;
  const terms = [
    product(n_plain, p_in),
    product(n_read, p_read ?? p_in),
    product(n_write, p_write ?? p_in),
    product(n_out, p_out),
  ];
  return terms.reduce<bigint | null>(
    (sum, term) => (sum === null || term === null ? null : sum + term),
    p_request,
  );
}

function product(units: bigint, price: bigint | null): bigint | null {
  if (units === 0n) return 0n;
  return price === null ? null : units * price;
}

/** Modes by their index in ROUNDING_MODES. */
function roundsUp(mode: number, q: bigint, r: bigint, d: bigint): boolean {
  switch (mode) {
    case 0:
      return 2n * r >= d;
    case 1:
      return 2n * r > d || (2n * r === d && q % 2n === 1n);
    case 2:
      return 2n * r > d;
    case 3:
      return r > 0n;
    default:
      return false;
  }
}

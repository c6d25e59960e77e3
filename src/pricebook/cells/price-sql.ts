import type { PriceCell } from './price-cell.ts';

/**
 * The price of a row as SQL: one fixed text over the columns of `PriceCell` and `CellUnits`, the twin of
 * `evaluateCell`. Integers only: `/` would give a double. The columns of prices say how wide is worked: BIGINT only
 * where `fitsBigint` and units are below 10⁹, else HUGEINT, where units are at most MOST_UNITS and prices at most
 * MOST_PRICE, so that no product leaves 128 bits. NULL where a unit that was used has no price.
 */
const SUM = `CASE WHEN p_unit IS NULL
  THEN CASE WHEN n_plain = 0 THEN 0 ELSE n_plain * p_in END
     + CASE WHEN n_read = 0 THEN 0 ELSE n_read * COALESCE(p_read, p_in) END
     + CASE WHEN n_write = 0 THEN 0 ELSE n_write * COALESCE(p_write, p_in) END
     + CASE WHEN n_out = 0 THEN 0 ELSE n_out * p_out END
     + p_request
  ELSE n_unit * p_unit + p_request END`;

const ROUND_UP = `CASE mode
  WHEN 0 THEN 2 * r >= d
  WHEN 1 THEN 2 * r > d OR (2 * r = d AND q % 2 = 1)
  WHEN 2 THEN 2 * r > d
  WHEN 3 THEN r > 0
  ELSE false END`;

const USED = 'n_plain + n_read + n_write + n_out + n_unit > 0';

/**
 * `SELECT *, due, rounded, tie FROM relation`: `due` is the charge in 10⁻¹² USD, as wide as the prices; `rounded`: the sum is no whole
 * multiple of the quantum; `tie`: it lies in the middle between two. `relation` (a table or a subquery in
 * brackets) has the columns of `PriceCell` and of `CellUnits` and none named like what is computed.
 */
export function pricedSql(relation: string): string {
  return `SELECT * EXCLUDE (s, q, r, charge),
  CASE WHEN min_pico IS NOT NULL AND charge < min_pico AND (min_at_zero OR ${USED}) THEN min_pico
       ELSE charge END AS due, r <> 0 AS rounded, 2 * r = d AS tie
FROM (SELECT *, (q + CAST(${ROUND_UP} AS INTEGER)) * quantum_pico AS charge
FROM (SELECT *, s - q * d AS r
FROM (SELECT *, s // d AS q
FROM (SELECT *, ${SUM} AS s
FROM ${relation}))))`;
}

/** Below these a sum of four products, doubled remainders and the charge above them stay within 63 bits. */
const NARROW_PRICE = 10n ** 9n;
const NARROW_AMOUNT = 10n ** 18n;

/** Whether calls of fewer than 10⁹ tokens each may be priced by this cell in 64 bits: several times as fast as in 128. */
export function fitsBigint(cell: PriceCell): boolean {
  const { p_in, p_out, p_read, p_write, p_unit, p_request, d, quantum_pico, min_pico } = cell;
  const prices = [p_in, p_out, p_read, p_write, p_unit];
  const amounts = [p_request, d, quantum_pico, min_pico];
  return (
    // A quantum above its divisor would make the charge larger than the sum.
    quantum_pico <= d &&
    prices.every((price) => price === null || price <= NARROW_PRICE) &&
    amounts.every((amount) => amount === null || amount <= NARROW_AMOUNT)
  );
}

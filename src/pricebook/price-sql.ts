/**
 * The price of a row as SQL: one fixed text over the columns of `PriceCell` and `CellUnits`, the twin of
 * `evaluateCell`. Integers only, HUGEINT throughout: `/` would give a double. Units are at most MOST_UNITS and prices
 * at most MOST_PRICE, so that no product leaves 128 bits; NULL where a unit that was used has no price.
 */
const SUM = `CASE WHEN p_unit IS NULL
  THEN CASE WHEN n_plain = 0 THEN 0 ELSE n_plain::HUGEINT * p_in END
     + CASE WHEN n_read = 0 THEN 0 ELSE n_read::HUGEINT * COALESCE(p_read, p_in) END
     + CASE WHEN n_write = 0 THEN 0 ELSE n_write::HUGEINT * COALESCE(p_write, p_in) END
     + CASE WHEN n_out = 0 THEN 0 ELSE n_out::HUGEINT * p_out END
     + p_request
  ELSE n_unit::HUGEINT * p_unit + p_request END`;

const ROUND_UP = `CASE mode
  WHEN 0 THEN 2 * r >= d
  WHEN 1 THEN 2 * r > d OR (2 * r = d AND q % 2 = 1)
  WHEN 2 THEN 2 * r > d
  WHEN 3 THEN r > 0
  ELSE false END`;

const USED = 'n_plain + n_read + n_write + n_out + n_unit > 0';

/**
 * `SELECT *, due, rounded, tie FROM relation`: `due` is the charge in 10⁻¹² USD, HUGEINT; `rounded`: the sum is no whole
 * multiple of the quantum; `tie`: it lies in the middle between two. `relation` (a table or a subquery in
 * brackets) has the columns of `PriceCell` and of `CellUnits` and none named like what is computed.
 */
export function pricedSql(relation: string): string {
  return `SELECT * EXCLUDE (s, q, r, charge),
  CASE WHEN min_pico IS NOT NULL AND charge < min_pico AND (min_at_zero OR ${USED}) THEN min_pico
       ELSE charge END AS due, r <> 0 AS rounded, 2 * r = d AS tie
FROM (SELECT *, (q + CAST(${ROUND_UP} AS HUGEINT)) * quantum_pico AS charge
FROM (SELECT *, s - q * d AS r
FROM (SELECT *, s // d AS q
FROM (SELECT *, ${SUM} AS s
FROM ${relation}))))`;
}

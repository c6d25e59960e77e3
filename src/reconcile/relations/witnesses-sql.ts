/**
 * What tells two accepted calls apart in any count of a verdict: what of their prices, tiers and ways of refund they
 * went over, and by what their record can be doubted. Columns of `accepted` become the columns of `alike`.
 */
const MARKS: Readonly<Record<string, string>> = {
  cell: 'cell',
  kind: 'kind',
  day: 'day',
  some_plain: 'n_plain > 0',
  some_read: 'n_read > 0',
  some_write: 'n_write > 0',
  some_out: 'n_out > 0',
  some_reasoning: 'COALESCE(n_reasoning, 0) > 0',
  tier_told: 'tier_told',
  tools_told: 'tools_told',
  reserved_some: 'reserved > 0',
  refunded_some: 'refunded > 0',
  rounded: 'rounded',
  tie: 'tie',
  // The last size of a tier and the first of the next.
  edge: 'CASE WHEN n_in = len_from AND len_from > 0 THEN 1 WHEN n_in = len_to - 1 THEN 2 ELSE 0 END',
  read_again: 'read_again',
};

const NAMES = Object.keys(MARKS).join(', ');
const MARKED = `(SELECT * EXCLUDE (${Object.entries(MARKS)
  .filter(([name, mark]) => name === mark)
  .map(([name]) => name)
  .join(', ')}), ${Object.entries(MARKS)
  .map(([name, mark]) => `${mark} AS ${name}`)
  .join(', ')} FROM accepted)`;

/**
 * Takes the witnesses out of `accepted`: the first of the calls that are alike, and about `perPrice` of each price, so
 * that what is learnt from right rows (when records are dated, what else an amount could mean) is learnt from some.
 */
export function witnessesSql(perPrice: number): readonly string[] {
  return [
    `CREATE OR REPLACE TABLE alike AS SELECT ${NAMES}, min(call_row) AS witness FROM ${MARKED} GROUP BY ALL`,
    `CREATE OR REPLACE TABLE witnesses AS SELECT witness AS call_row FROM alike UNION
       SELECT call_row FROM accepted JOIN (SELECT cell, kind, count(*) AS calls FROM accepted GROUP BY ALL) USING (cell, kind)
       WHERE hash(call_row) % calls::UBIGINT < ${perPrice}`,
    'DELETE FROM accepted WHERE call_row IN (SELECT call_row FROM witnesses)',
  ];
}

export const WITNESSES_SQL =
  'SELECT call_id AS id FROM calls WHERE rowid IN (SELECT call_row FROM witnesses) ORDER BY id';

export const GROUPS_SQL = `SELECT call_id AS witness, calls, charged, expected, refunded
  FROM (SELECT ${NAMES}, count(*)::INTEGER AS calls, sum(charged)::VARCHAR AS charged, sum(due)::VARCHAR AS expected,
      sum(refunded)::VARCHAR AS refunded FROM ${MARKED} GROUP BY ALL)
    JOIN alike USING (${NAMES}) JOIN calls ON calls.rowid = alike.witness
  ORDER BY witness`;

import type { UsageWindow } from '../../contracts/usage-lines.ts';
import { pricedSql } from '../../pricebook/cells/price-sql.ts';
import type { AssumedReadings } from '../records/accepted-sums.ts';
import { ACCEPTED_COLUMNS, ALIKE_SQL, CELL_OF } from './accepted-table.ts';

/** Clocks of client and target may differ by so much before a record's time contradicts its call. */
const CLOCK_DIFFERENCE_MS = 120_000;

/** Ids that more than one call or one judged record stands under, or that a later attempt shares: never accepted. */
export const AMBIGUOUS_SQL = [
  `CREATE OR REPLACE TABLE shared_requests AS
     SELECT request_h AS h FROM calls WHERE is_row AND request_h IS NOT NULL GROUP BY h HAVING count(*) > 1
     UNION ALL SELECT request_h AS h FROM records WHERE judged AND request_h IS NOT NULL GROUP BY h HAVING count(*) > 1
     UNION ALL SELECT h FROM changed_requests
     UNION ALL SELECT hash(id::VARCHAR) AS h FROM
       (SELECT unnest(json_extract(other_requests, '$[*]')) AS id FROM calls WHERE other_requests IS NOT NULL)`,
  `CREATE OR REPLACE TABLE shared_calls AS
     SELECT call_h AS h FROM calls WHERE call_h IS NOT NULL GROUP BY h
       HAVING count(*) FILTER (is_row) > 1 OR count(*) FILTER (NOT is_row) > 1`,
  'CREATE OR REPLACE TABLE retried AS SELECT DISTINCT logical AS h FROM calls WHERE is_row AND again',
];

/** Table `apart` holds calls and requests that are to be judged by themselves. */
export const APART_SQL = [
  'INSERT INTO shared_calls SELECT hash(call_id) FROM apart WHERE call_id IS NOT NULL',
  'INSERT INTO shared_requests SELECT hash(request) FROM apart WHERE request IS NOT NULL',
];

/**
 * Records that tell what `amount` means, and where cached tokens are counted: as `billingSettings` counts them, over
 * all judged records that are staged.
 */
export const TELLING_AMOUNT_SQL = `SELECT
  count(*) FILTER (amount + refunded = reserved)::INTEGER AS net,
  count(*) FILTER (amount + refunded <> reserved AND amount = reserved AND refunded <= amount)::INTEGER AS gross
  FROM records WHERE judged AND settled AND refunded > 0`;

export const TELLING_CACHE_SQL = `SELECT
  count(*) FILTER (r_in = n_in)::INTEGER AS inside,
  count(*) FILTER (r_in = n_in - COALESCE(n_read, 0) - COALESCE(n_write, 0))::INTEGER AS beside
  FROM calls JOIN records USING (request_h)
  WHERE calls.fit AND judged AND COALESCE(n_read, 0) + COALESCE(n_write, 0) > 0`;

export interface AcceptanceTerms {
  readonly readings: AssumedReadings;
  readonly windows: readonly UsageWindow[];
  /** A record is created no later than this after the end of its call. */
  readonly late_ms: number;
  /** Complete sweeps before the judged one; a record that such a sweep should have held, and did not, came late. */
  readonly earlier: readonly EarlierSweep[];
  /** So long after the end of a call its record may still be absent from a complete sweep. */
  readonly posting_ms: number;
  /** The cells are those of one book that names no version: it prices every record, whatever version that names. */
  readonly any_version: boolean;
  /** Records were read more than once. */
  readonly several: boolean;
  /** Some lines are intents. */
  readonly intents: boolean;
}

export interface EarlierSweep {
  readonly sweep: number;
  /** Milliseconds since the epoch. */
  readonly begun_ms: number;
}

/**
 * Puts those staged calls into table `into` of which everything that a judge looks at is proved to be in order. It
 * finds nothing and names nothing; a call that is left out is judged by itself.
 */
export function acceptanceSql(into: string, terms: AcceptanceTerms): string {
  const priced = `(SELECT * EXCLUDE (due), ${usdOf('due')} AS due FROM (${pricedSql(`(${pairs(terms)})`)}))`;
  return `INSERT INTO ${into} SELECT ${ACCEPTED_COLUMNS}
    FROM (SELECT *, ${ALIKE_SQL} AS alike FROM ${priced} WHERE due = charged)`;
}

/** Whole 10⁻¹² USD as a decimal, without a division. */
function usdOf(pico: string): string {
  return `CAST(${pico} AS DECIMAL(26,0)) * 0.000000000001`;
}

function pairs({
  readings,
  windows,
  late_ms,
  earlier,
  posting_ms,
  any_version,
  several,
  intents,
}: AcceptanceTerms): string {
  const { amount_meaning, input_includes_cache } = readings;
  const net = amount_meaning === 'net';
  const charge = net ? 'amount' : 'amount - refunded';
  const arithmetic = net
    ? 'refunded >= 0 AND (amount <= reserved OR reserved = 0)'
    : 'amount = reserved AND refunded <= amount';
  const told = input_includes_cache === 'yes' ? 'n_in' : 'n_in - COALESCE(n_read, 0) - COALESCE(n_write, 0)';
  const asked = windows.map(({ start, end }) => `created_s >= ${start} AND created_s < ${end}`).join(' OR ');
  const posted = earlier.map(
    ({ sweep, begun_ms }) => `AND (calls.started_ms + end_ms >= ${begun_ms - posting_ms} OR calls.request_h IN
      (SELECT request_h FROM records WHERE records.sweep = ${sweep} AND NOT single AND request_h IS NOT NULL))`,
  );
  const version = any_version
    ? ''
    : 'AND price_cells.book = records.book AND price_cells.version = records.version';
  const again = several
    ? 'calls.request_h IN (SELECT request_h FROM records WHERE NOT judged AND request_h IS NOT NULL)'
    : 'false';
  const intent = intents
    ? 'LEFT JOIN (SELECT call_h, place, started_ms FROM placed_calls WHERE is_intent) AS intents ON intents.call_h = calls.call_h'
    : '';
  return `SELECT calls.place AS place, records.place AS record_place,
    ${intents ? 'intents.place' : 'NULL'} AS intent_place, ${intents ? 'intents.started_ms' : 'NULL'} AS intent_ms,
    calls.request_h AS request_h, calls.call_h AS call_h, logical, pass,
    calls.kind AS kind, created_s // 86400 AS day, refunded, reserved,
    calls.started_ms AS started_ms, calls.started_ms + end_ms AS ended_ms, created_s, ${charge} AS charged,
    CASE WHEN refunded <= 0 THEN NULL WHEN amount + refunded = reserved THEN true
      WHEN amount = reserved AND refunded <= amount THEN false END AS told,
    CASE WHEN COALESCE(calls.n_read, 0) + COALESCE(calls.n_write, 0) > 0 THEN r_in <> n_in END AS beside,
    n_in - COALESCE(n_read, 0) - COALESCE(n_write, 0) AS n_plain,
    COALESCE(n_read, 0) AS n_read, COALESCE(n_write, 0) AS n_write, n_out, 0 AS n_unit,
    n_in, n_reasoning, tier_told, tools_told, len_from, len_to, ${again} AS read_again,
    cell, p_in, p_out, p_read, p_write, p_unit, p_request, d, quantum_pico, mode, min_pico, min_at_zero
  FROM placed_calls AS calls JOIN placed_records AS records ON calls.request_h = records.request_h
    ${intent}
    JOIN price_cells ON price_cells.model = calls.model AND price_cells.endpoint = calls.kind
  WHERE calls.fit AND records.fit AND judged
    -- As one condition: each equality by itself would be a further key of the join.
    AND COALESCE(record_model = calls.model AND r_in = ${told} AND r_out = n_out
      AND r_read = COALESCE(n_read, 0) AND r_write = COALESCE(n_write, 0) ${version}
      AND created_s * 1000 >= calls.started_ms - ${CLOCK_DIFFERENCE_MS}
      AND created_s * 1000 <= calls.started_ms + end_ms + ${late_ms}, false)
    AND COALESCE(n_read, 0) + COALESCE(n_write, 0) <= n_in
    AND (${arithmetic})
    ${asked === '' ? '' : `AND (${asked})`}
    ${posted.join('\n    ')}
    AND n_in >= len_from AND (len_to IS NULL OR n_in < len_to)
    AND (valid_from_s IS NULL OR least(created_s * 1000, calls.started_ms) > valid_from_s * 1000)
    AND (valid_to_s IS NULL OR greatest(created_s * 1000, calls.started_ms + end_ms) < valid_to_s * 1000)
    AND calls.request_h NOT IN (SELECT h FROM shared_requests)
    AND calls.call_h NOT IN (SELECT h FROM shared_calls)
    AND logical NOT IN (SELECT h FROM retried)`;
}

/** A record that no call is known of may be a second charge of a call that it looks like, so long after its start. */
const ALIKE_WITHIN_MS = 3_600_000;

/** Judged records of which no staged call tells. */
const UNKNOWN_RECORDS = `(SELECT record_model AS model, r_in AS tokens_in, r_out AS tokens_out, created_s AS second FROM records
    WHERE judged AND (request_h IS NULL OR request_h NOT IN (SELECT request_h FROM calls WHERE request_h IS NOT NULL)))`;

/** Calls of table `from` that look like such a record: they are judged beside it (`lookalikes`). */
export function likeUnknownSql(from: string): string {
  return `SELECT accepted.place FROM ${from} AS accepted
    JOIN (SELECT DISTINCT cell, model FROM kept.cells) AS cells ON cells.cell = ${CELL_OF}
    JOIN ${UNKNOWN_RECORDS} AS rest
      ON rest.model = cells.model AND tokens_out = accepted.n_out
        AND (tokens_in = accepted.n_in OR tokens_in = accepted.n_plain)
    WHERE second * 1000 BETWEEN accepted.started_ms - ${ALIKE_WITHIN_MS} AND accepted.ended_ms + ${ALIKE_WITHIN_MS}`;
}

/** The other readings of the records of calls that table `from` holds. */
export function keepReadsSql(from: string): string {
  return `INSERT INTO kept.reads SELECT place, request_h, single, sweep, pass, record_model, created_s // 86400, amount, reserved, refunded
    FROM placed_records WHERE NOT judged AND request_h IN (SELECT request_h FROM ${from})`;
}

/**
 * Staged lines of which nothing was accepted, by their place, with the hash of the id by which they are known again. An intent goes with its row; `from` as above.
 */
export function restCallsSql(from: string): string {
  return `SELECT place::DOUBLE AS place, CASE WHEN is_row OR is_intent THEN call_h END AS id FROM placed_calls
    WHERE place NOT IN (SELECT place FROM ${from} UNION ALL SELECT intent_place FROM ${from} WHERE intent_place IS NOT NULL)
    ORDER BY place`;
}

export function restRecordsSql(from: string, several: boolean): string {
  const others = several ? 'UNION ALL SELECT place FROM kept.reads' : '';
  return `SELECT place::DOUBLE AS place, request_h AS id FROM placed_records
    WHERE place NOT IN (SELECT record_place FROM ${from} ${others}) ORDER BY place`;
}

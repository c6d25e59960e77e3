import { CELL_OF, DAY_OF, PRICE_OF } from './accepted-table.ts';

/** What is summed of calls that are alike, and whether the sum of some may be taken from that of all. */
const SUMS = {
  calls: 'count(*)',
  charged: 'sum(charged)',
  refunded: 'sum(refunded)',
  reserved: 'sum(reserved)',
  net: 'count(*) FILTER (told)',
  gross: 'count(*) FILTER (NOT told)',
  inside: 'count(*) FILTER (NOT beside)',
  outside: 'count(*) FILTER (beside)',
} as const;
const NAMES = Object.keys(SUMS);
const SUMMED = Object.entries(SUMS)
  .map(([name, sum]) => `${sum} AS ${name}`)
  .join(', ');

/**
 * Table `alike`, with the first of the calls that are alike; `witnesses`: these, and `perPrice` of each price, so that
 * what is learnt from right rows (when records are dated, what else an amount could mean) is learnt from some. They are
 * chosen by the hashes of their ids: those of few calls are mostly still those when more have come. Table `sums` is
 * over all others. `added`: to what was accepted before came only `accepted_now`; then the rest of it is not read.
 */
export function witnessesSql(perPrice: number, added: boolean): readonly string[] {
  const from = added
    ? '(SELECT * FROM kept.witnesses UNION ALL SELECT * FROM accepted_now) AS accepted'
    : 'kept.accepted';
  const some =
    perPrice === 0
      ? ''
      : `UNION SELECT unnest(few) FROM (SELECT arg_min(place, call_h, ${perPrice}) AS few FROM ${from} GROUP BY ${PRICE_OF})`;
  return [
    `CREATE OR REPLACE TABLE totals AS SELECT alike, pass, min(place) AS place, min(first_ms) AS first_ms,
       max(last_ms) AS last_ms, ${NAMES.map((name) => `sum(${name}) AS ${name}`).join(', ')}
     FROM (${totalsOf(added ? 'accepted_now' : 'kept.accepted')} ${added ? 'UNION ALL SELECT * FROM kept.totals' : ''})
     GROUP BY alike, pass`,
    'CREATE OR REPLACE TABLE alike AS SELECT alike, min(place) AS place FROM totals GROUP BY alike',
    `CREATE OR REPLACE TABLE witnesses AS SELECT * FROM ${from}
     WHERE place IN (SELECT place FROM alike ${some})`,
    `CREATE OR REPLACE TABLE sums AS SELECT alike, pass, ${NAMES.map((name) => `sum(${name}) AS ${name}`).join(', ')}
     FROM (SELECT alike, pass, ${NAMES.join(', ')} FROM totals
       UNION ALL SELECT alike, pass, ${NAMES.map((name) => `-${name}`).join(', ')} FROM
         (SELECT alike, pass, ${SUMMED} FROM witnesses GROUP BY alike, pass))
     GROUP BY alike, pass HAVING sum(calls) > 0`,
    'CREATE OR REPLACE TABLE kept.totals AS SELECT * FROM totals',
    'CREATE OR REPLACE TABLE kept.witnesses AS SELECT * FROM witnesses',
  ];
}

function totalsOf(table: string): string {
  return `SELECT alike, pass, min(place) AS place, min(started_ms) AS first_ms,
    max(greatest(ended_ms, COALESCE(intent_ms, ended_ms))) AS last_ms, ${SUMMED}
  FROM ${table} GROUP BY alike, pass`;
}

/** Lines of witnesses: their rows and intents, and their records with all readings. */
export const WITNESS_CALLS_SQL = `SELECT place::DOUBLE AS place, call_h FROM witnesses
  UNION ALL SELECT intent_place::DOUBLE, call_h FROM witnesses WHERE intent_place IS NOT NULL
  ORDER BY place`;

export const WITNESS_RECORDS_SQL = `SELECT record_place::DOUBLE AS place, request_h FROM witnesses
  UNION ALL SELECT place::DOUBLE, request_h FROM kept.reads WHERE request_h IN (SELECT request_h FROM witnesses)
  ORDER BY place`;

export const GROUPS_SQL = `SELECT place::DOUBLE AS place, calls, charged, refunded
  FROM (SELECT alike, sum(calls)::INTEGER AS calls, sum(charged)::VARCHAR AS charged, sum(refunded)::VARCHAR AS refunded
      FROM sums GROUP BY alike)
    JOIN alike USING (alike)`;

/** The first and the last moment are those of witnesses too: these are judged themselves, so that it is the same. */
export const ACCEPTED_TELLING_SQL = `SELECT (SELECT min(first_ms) FROM totals)::DOUBLE AS first_started_ms,
  (SELECT max(last_ms) FROM totals) AS last_sign_ms,
  COALESCE(sum(net), 0)::INTEGER AS net, COALESCE(sum(gross), 0)::INTEGER AS gross,
  COALESCE(sum(inside), 0)::INTEGER AS inside, COALESCE(sum(outside), 0)::INTEGER AS beside
  FROM sums`;

const DAY = "strftime(make_date(1970, 1, 1) + CAST(day AS INTEGER), '%Y-%m-%d') AS day";

/**
 * Every reading of the accepted records, by sweep, walk, model and day. `net`: amounts are what was charged; else what
 * was refunded comes off them.
 */
export function recordSumsSql(sweep: number, net: boolean): string {
  const amount = net ? 'charged' : 'charged + refunded';
  return `SELECT sweep::INTEGER AS sweep, pass::INTEGER AS pass, model, ${DAY}, sum(records)::INTEGER AS records,
    sum(amount)::VARCHAR AS amount, sum(reserved)::VARCHAR AS reserved, sum(refunded)::VARCHAR AS refunded
  FROM (SELECT ${sweep} AS sweep, pass, model, ${DAY_OF} AS day, calls AS records, ${amount} AS amount, reserved, refunded
      FROM sums JOIN kept.cells ON cell = ${CELL_OF}
    UNION ALL SELECT sweep, pass, model, day, 1, amount, reserved, refunded FROM kept.reads
      WHERE NOT single AND request_h NOT IN (SELECT request_h FROM witnesses))
  GROUP BY sweep, pass, model, day ORDER BY ALL`;
}

import { z } from 'zod';
import type { Store } from '../../ledger/store/open-store.ts';
import type { PriceCell } from '../../pricebook/cells/price-cell.ts';
import type { AssumedReadings } from '../records/accepted-sums.ts';
import { TELLING_AMOUNT_SQL, TELLING_CACHE_SQL } from './acceptance-sql.ts';
import { CELL_OF, DAY_OF, PRICE_OF } from './accepted-table.ts';
import { StaleAcceptance } from './stale-acceptance.ts';

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
  returned: 'count(*) FILTER (refunded > 0)',
  released: 'count(*) FILTER (refunded = 0 AND reserved > charged)',
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
  COALESCE(sum(inside), 0)::INTEGER AS inside, COALESCE(sum(outside), 0)::INTEGER AS beside,
  COALESCE(sum(returned), 0)::INTEGER AS returned, COALESCE(sum(released), 0)::INTEGER AS released
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

/**
 * The cells by which text calls may be accepted. A model is left out of a version where a row could fit more than one
 * of its cells, where its price depends on more than tokens, endpoint, length and time, or was inferred from the bill.
 * With several versions each needs a time in force: else a record could name the wrong one.
 */
export function usableCells(cells: readonly PriceCell[]): readonly PriceCell[] {
  const versions = new Set(
    cells.map(({ pricebook_id, pricing_version }) => key(pricebook_id, pricing_version)),
  );
  const byModel = Map.groupBy(cells, ({ pricebook_id, pricing_version, model }) =>
    key(pricebook_id, pricing_version, model),
  );
  return [...byModel.values()]
    .filter((group) => group.every((cell) => isPlain(cell) && (versions.size === 1 || isDated(cell))))
    .filter(
      (group) => !group.some((cell, index) => group.slice(0, index).some((other) => overlap(cell, other))),
    )
    .flat();
}

function isPlain({ when, p_unit, reasoning, grade, size, quality, resolution }: PriceCell): boolean {
  const options = size === null && quality === null && resolution === null;
  return when === '{}' && p_unit === null && reasoning === 'in' && grade !== 'inferred' && options;
}

function isDated({ valid_from_s, valid_to_s }: PriceCell): boolean {
  return valid_from_s !== null || valid_to_s !== null;
}

function overlap(left: PriceCell, right: PriceCell): boolean {
  const endpoints = left.endpoint === null || right.endpoint === null || left.endpoint === right.endpoint;
  return (
    endpoints &&
    before(left.len_from, right.len_to) &&
    before(right.len_from, left.len_to) &&
    before(left.valid_from_s, right.valid_to_s) &&
    before(right.valid_from_s, left.valid_to_s)
  );
}

/** Whether a stretch that begins at `from` can meet one that ends at `to`; null is without end. */
function before(from: bigint | number | null, to: bigint | number | null): boolean {
  return from === null || to === null || from < to;
}

function key(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

const keptCell = z.object({ cell: z.number(), content: z.string() });

/**
 * The cells with numbers that stay the same from judgement to judgement. Throws StaleAcceptance where one is missing by
 * which calls were accepted.
 */
export async function numberedCells(
  store: Store,
  cells: readonly PriceCell[],
): Promise<readonly PriceCell[]> {
  const kept = await store.rows('SELECT cell, content FROM kept.cells ORDER BY cell', keptCell);
  const numbers = new Map(kept.map(({ cell, content }) => [content, cell]));
  const contents = cells.map(contentOf);
  const now = new Set(contents);
  if (kept.some(({ content }) => !now.has(content))) throw new StaleAcceptance('prices have changed');
  const added: (readonly [number, string, string])[] = [];
  const numbered = cells.map((cell, index) => {
    const content = contents[index] ?? '';
    let number = numbers.get(content);
    if (number === undefined) {
      number = kept.length + added.length;
      numbers.set(content, number);
      added.push([number, JSON.stringify(cell.model), content]);
    }
    return { ...cell, cell: number };
  });
  await store.append('kept.cells', added);
  return numbered;
}

function contentOf({ cell: _, ...content }: PriceCell): string {
  return JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${String(value)}n` : value,
  );
}

const meaning = z.object({ net: z.number(), gross: z.number() });
const places = z.object({ inside: z.number(), beside: z.number() });

const KEPT_SQL = `SELECT count(*) FILTER (told)::INTEGER AS net, count(*) FILTER (NOT told)::INTEGER AS gross,
  count(*) FILTER (NOT beside)::INTEGER AS inside, count(*) FILTER (beside)::INTEGER AS beside FROM kept.accepted`;

/** Under which readings is accepted: those that were given, else those that the most records of all tell. */
export async function assumedReadings(
  store: Store,
  given: { readonly [Name in keyof AssumedReadings]: AssumedReadings[Name] | null },
): Promise<AssumedReadings> {
  let { amount_meaning, input_includes_cache } = given;
  if (amount_meaning !== null && input_includes_cache !== null)
    return { amount_meaning, input_includes_cache };
  const [kept] = await store.rows(KEPT_SQL, meaning.extend(places.shape));
  if (amount_meaning === null) {
    const [told] = await store.rows(TELLING_AMOUNT_SQL, meaning);
    const [net, gross] = [(told?.net ?? 0) + (kept?.net ?? 0), (told?.gross ?? 0) + (kept?.gross ?? 0)];
    amount_meaning = gross > net ? 'gross' : 'net';
  }
  if (input_includes_cache === null) {
    const [told] = await store.rows(TELLING_CACHE_SQL, places);
    const inside = (told?.inside ?? 0) + (kept?.inside ?? 0);
    const beside = (told?.beside ?? 0) + (kept?.beside ?? 0);
    input_includes_cache = beside > inside ? 'no' : 'yes';
  }
  return { amount_meaning, input_includes_cache };
}

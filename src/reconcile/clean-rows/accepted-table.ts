import type { Store } from '../../ledger/store/open-store.ts';

/**
 * What is kept of an accepted call: where its lines stand, by what later lines may touch it (hashes of its ids, what a
 * record could look like), and its figures. A verdict needs nothing else of it.
 */
const TYPES = {
  place: 'BIGINT',
  record_place: 'BIGINT',
  intent_place: 'BIGINT',
  request_h: 'UBIGINT',
  call_h: 'UBIGINT',
  logical: 'UBIGINT',
  alike: 'BIGINT',
  charged: 'DECIMAL(18,12)',
  refunded: 'DECIMAL(18,12)',
  reserved: 'DECIMAL(18,12)',
  n_in: 'INTEGER',
  n_plain: 'INTEGER',
  n_out: 'INTEGER',
  started_ms: 'BIGINT',
  ended_ms: 'DOUBLE',
  intent_ms: 'BIGINT',
  told: 'BOOLEAN',
  beside: 'BOOLEAN',
  pass: 'BIGINT',
};
const COLUMNS = Object.entries(TYPES)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

/** In the order of the table. */
export const ACCEPTED_COLUMNS = Object.keys(TYPES).join(', ');

/** `kept.accepted`: of all calls; `kept.reads`: other readings of their records; `kept.cells`: the prices they met. */
export async function createAcceptedTables(store: Store): Promise<void> {
  await store.run(`CREATE TABLE kept.accepted (${COLUMNS})`);
  await store.run(`CREATE TABLE kept.reads (place BIGINT, request_h UBIGINT, single BOOLEAN, sweep BIGINT, pass BIGINT,
    model VARCHAR, day BIGINT, amount DECIMAL(18,12), reserved DECIMAL(18,12), refunded DECIMAL(18,12))`);
  await store.run('CREATE TABLE kept.cells (cell INTEGER, model VARCHAR, content VARCHAR)');
}

/** Of the calls of this judgement alone, where others were accepted before. */
export async function createAcceptedNow(store: Store): Promise<void> {
  await store.run(`CREATE OR REPLACE TABLE accepted_now (${COLUMNS})`);
}

/**
 * What tells two accepted calls apart in any count of a verdict: what of their prices, tiers and ways of refund they
 * went over, and by what their record can be doubted. With the number of values that each can take, from low to high.
 */
const MARKS: readonly (readonly [sql: string, bits: number])[] = [
  ['n_plain > 0', 1],
  ['n_read > 0', 1],
  ['n_write > 0', 1],
  ['n_out > 0', 1],
  ['COALESCE(n_reasoning, 0) > 0', 1],
  ['tier_told', 1],
  ['tools_told', 1],
  ['reserved > 0', 1],
  ['refunded > 0', 1],
  ['rounded', 1],
  ['tie', 1],
  // The last size of a tier and the first of the next.
  ['CASE WHEN n_in = len_from AND len_from > 0 THEN 1 WHEN n_in = len_to - 1 THEN 2 ELSE 0 END', 2],
  ['read_again', 1],
  ['day', 24],
  ['kind', 3],
];

/** Beyond so many cells the marks of a call leave 63 bits. */
export const MOST_CELLS = 2 ** 18;

const bitsBefore = (index: number): number => MARKS.slice(0, index).reduce((sum, [, bits]) => sum + bits, 0);

/** All marks of a call as one number: calls with the same number are alike. */
export const ALIKE_SQL = [
  ...MARKS.map(([sql, _], index) => `((${sql})::BIGINT << ${bitsBefore(index)})`),
  `(cell::BIGINT << ${bitsBefore(MARKS.length)})`,
].join(' + ');

const CELL_SHIFT = bitsBefore(MARKS.length);
const DAY_SHIFT = bitsBefore(MARKS.length - 2);

/** What a number of `ALIKE_SQL` says. */
export const CELL_OF = `(alike >> ${CELL_SHIFT})`;
export const PRICE_OF = `(alike >> ${bitsBefore(MARKS.length - 1)})`;
export const DAY_OF = `((alike >> ${DAY_SHIFT}) & ${2 ** 24 - 1})`;

import { z } from 'zod';
import { fetchLines, type LineKind, readKeptLines } from '../../ledger/store/kept-lines.ts';
import type { PlacedLine } from '../../ledger/store/line-part.ts';
import type { Columns, Store } from '../../ledger/store/open-store.ts';
import { likeUnknownSql } from './acceptance-sql.ts';
import { StaleAcceptance } from './stale-acceptance.ts';

/**
 * Table `touched`: calls that were accepted before, and of which the staged lines tell something: under the same id, of
 * the same logical call, or that a record of unknown calls looks like. Whether they are right has to be seen again.
 */
const TOUCHED_SQL = `CREATE OR REPLACE TABLE touched AS SELECT place, record_place, intent_place, request_h, call_h
  FROM kept.accepted WHERE place IN (
    SELECT place FROM kept.accepted WHERE request_h IN (
      SELECT request_h FROM calls WHERE request_h IS NOT NULL
      UNION SELECT request_h FROM records WHERE request_h IS NOT NULL
      UNION SELECT h FROM shared_requests)
    UNION SELECT place FROM kept.accepted WHERE call_h IN (
      SELECT call_h FROM calls WHERE call_h IS NOT NULL UNION SELECT h FROM shared_calls)
    UNION SELECT place FROM kept.accepted WHERE logical IN (SELECT h FROM retried)
    UNION ${likeUnknownSql('kept.accepted')})`;

const UNLIKE_SQL = `SELECT (SELECT count(*) FROM touched)::DOUBLE AS touched, (SELECT count(*) FROM touched
    JOIN placed_calls AS calls ON calls.place = touched.place AND calls.call_h = touched.call_h AND calls.request_h = touched.request_h
    JOIN placed_records AS records ON records.place = record_place AND records.request_h = touched.request_h)::DOUBLE AS found`;

/** The lines of calls that the staged lines touch; they are no longer accepted. `shared_…` and `retried` are staged. */
export async function takeTouched(
  store: Store,
  files: Readonly<Record<LineKind, readonly string[]>>,
): Promise<Readonly<Record<LineKind, readonly PlacedLine[]>>> {
  await store.run(TOUCHED_SQL);
  const calls = await placesOf(
    store,
    'SELECT place FROM touched UNION SELECT intent_place FROM touched WHERE intent_place IS NOT NULL',
  );
  const reads = 'kept.reads WHERE request_h IN (SELECT request_h FROM touched)';
  const records = await placesOf(store, `SELECT record_place FROM touched UNION SELECT place FROM ${reads}`);
  await store.run('DELETE FROM kept.accepted WHERE place IN (SELECT place FROM touched)');
  await store.run(`DELETE FROM ${reads}`);
  return {
    calls: await linesAt(store, 'calls', files.calls, calls),
    records: await linesAt(store, 'records', files.records, records),
  };
}

/** Throws StaleAcceptance where the lines that were taken are not those that were accepted. */
export async function holdToTouched(store: Store): Promise<void> {
  const [count] = await store.rows(UNLIKE_SQL, z.object({ touched: z.number(), found: z.number() }));
  if (count === undefined || count.touched !== count.found)
    throw new StaleAcceptance('its files have changed');
}

/** Lines by their places, ascending: of those that are kept with their text, and for the others from the files. */
export async function linesAt(
  store: Store,
  kind: LineKind,
  files: readonly string[],
  places: readonly number[],
): Promise<readonly PlacedLine[]> {
  if (places.length === 0) return [];
  const wanted = new Set(places);
  const kept = (await readKeptLines(store, kind, places)).filter(({ place }) => wanted.delete(place));
  const fetched = await fetchLines(store, kind, files, [...wanted]);
  return [...kept, ...fetched].sort((left, right) => left.place - right.place);
}

async function placesOf(store: Store, sql: string): Promise<readonly number[]> {
  const places: number[] = [];
  const read = ([column = []]: Columns): readonly unknown[] => column;
  for await (const place of store.stream(`SELECT column0::DOUBLE FROM (${sql}) AS t(column0)`, read)) {
    if (typeof place === 'number') places.push(place);
  }
  return places;
}

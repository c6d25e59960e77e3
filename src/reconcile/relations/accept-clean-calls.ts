import { z } from 'zod';
import { WeighbridgeError } from '../../core/failure.ts';
import { jsonOf } from '../../core/json-of.ts';
import type { PriceBound } from '../../core/plan.ts';
import type { UsageRecordLine, UsageWindow } from '../../core/usage-lines.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import { importCalls } from '../../ledger/store/import-calls.ts';
import { importRecords, type JudgedReads } from '../../ledger/store/import-records.ts';
import { createJsonMacros } from '../../ledger/store/json-macros.ts';
import type { Columns, Store } from '../../ledger/store/open-store.ts';
import { type PickedLine, pickLines } from '../../ledger/store/pick-lines.ts';
import { restLedger, UnlikeRows } from '../../ledger/store/rest-ledger.ts';
import { withoutTornTails } from '../../ledger/store/torn-tail.ts';
import type { PriceCell } from '../../pricebook/price-cell.ts';
import { recordLine } from '../load-reconcile-input.ts';
import {
  AMBIGUOUS_SQL,
  APART_SQL,
  acceptanceSql,
  type EarlierSweep,
  REST_CALLS_SQL,
  restRecordsSql,
  TELLING_AMOUNT_SQL,
  TELLING_CACHE_SQL,
  UNLIKE_REST_SQL,
} from './acceptance-sql.ts';
import type { AcceptedSums, AssumedReadings } from './accepted-sums.ts';
import { acceptedSums } from './read-sums.ts';
import { stageTerms } from './stage-terms.ts';
import { usableCells } from './usable-cells.ts';
import { witnessesSql } from './witnesses-sql.ts';

export interface AcceptanceInput {
  readonly ledger_files: readonly string[];
  readonly record_files: readonly string[];
  /** The last complete sweep; without one nothing can be accepted, and this stage is not asked. */
  readonly judged: JudgedReads;
  /** The windows which that sweep read. */
  readonly windows: readonly UsageWindow[];
  /** The prices of these models. */
  readonly cells: (models: readonly string[]) => readonly PriceCell[];
  /** As `AcceptanceTerms`. */
  readonly any_version: boolean;
  /** About so many calls of each price are judged by themselves though they are accepted. */
  readonly witnesses_per_price: number;
  /** Of the plan's cap; empty without a plan. */
  readonly bounds: readonly PriceBound[];
  /** As declared by the user or published by the target; null lets the records decide, as `billingSettings` does. */
  readonly readings: { readonly [Name in keyof AssumedReadings]: AssumedReadings[Name] | null };
  /** A record of an accepted call is created within this after its end. */
  readonly late_ms: number;
  readonly earlier: readonly EarlierSweep[];
  readonly posting_ms: number;
  /** Calls that are never accepted: open items of earlier runs wait for their own judgement. */
  readonly apart: { readonly calls: readonly string[]; readonly requests: readonly string[] };
  readonly temp_dir: string;
}

/** What only the loaders can judge; they tell the file and the line. */
const UNREADABLE = 'store_unreadable';

/** What was accepted, and all other rows and records in the forms that the loaders give. */
export interface Acceptance {
  readonly accepted: AcceptedSums;
  readonly ledger: LoadedLedger;
  readonly records: readonly UsageRecordLine[];
}

/**
 * Accepts the calls that are clean for certain, in SQL, and loads the rest. Where a file has a line that only the
 * loaders can judge, nothing is accepted and the reason is told: the loaders then read everything. Throws as
 * `loadLedger` and the store do.
 */
export async function acceptCleanCalls(
  store: Store,
  input: AcceptanceInput,
): Promise<Acceptance | { readonly declined: string }> {
  try {
    return await accept(store, input);
  } catch (cause) {
    if (cause instanceof WeighbridgeError && cause.code === UNREADABLE) return { declined: cause.message };
    throw cause;
  }
}

async function accept(
  store: Store,
  input: AcceptanceInput,
): Promise<Acceptance | { readonly declined: string }> {
  const ledger = await withoutTornTails(input.ledger_files, input.temp_dir);
  const usage = await withoutTornTails(input.record_files, input.temp_dir);
  await createJsonMacros(store);
  await importCalls(store, ledger.files);
  const lines = await importRecords(store, usage.files, input.judged);
  await stageTerms(store, usableCells(input.cells(await calledModels(store))), input.bounds);
  for (const sql of AMBIGUOUS_SQL) await store.run(sql);
  await keepApart(store, input.apart);
  const assumed = await assumedReadings(store, input.readings);
  const several = lines.unjudged > 0;
  await store.run(acceptanceSql({ ...input, readings: assumed, several }));
  await store.run(UNLIKE_REST_SQL);
  for (const sql of witnessesSql(input.witnesses_per_price)) await store.run(sql);
  const accepted = await acceptedSums(store, assumed, several);
  try {
    const calls = await restRows(store, REST_CALLS_SQL);
    const records = await restRows(store, restRecordsSql(several));
    return {
      accepted,
      ledger: await restLedger(pickLines(ledger.files, calls.rows), calls.idOf, ledger.torn),
      records: await restRecords(pickLines(usage.files, records.rows), records.idOf),
    };
  } catch (cause) {
    if (cause instanceof UnlikeRows)
      return { declined: 'the lines of the files do not go with the rows that were read' };
    throw cause;
  }
}

async function keepApart(store: Store, { calls, requests }: AcceptanceInput['apart']): Promise<void> {
  await store.run('CREATE OR REPLACE TABLE apart (call_id VARCHAR, request VARCHAR)');
  await store.append('apart', [
    ...calls.map((id) => [JSON.stringify(id), null]),
    ...requests.map((id) => [null, JSON.stringify(id)]),
  ]);
  for (const sql of APART_SQL) await store.run(sql);
}

const modelRow = z.object({ model: z.string() });

async function calledModels(store: Store): Promise<readonly string[]> {
  const rows = await store.rows('SELECT DISTINCT model FROM calls WHERE fit ORDER BY model', modelRow);
  return rows.map(({ model }) => z.string().parse(JSON.parse(model)));
}

interface RestRows {
  /** Numbers of lines, ascending. */
  readonly rows: readonly number[];
  readonly idOf: (row: number) => string | null;
}

async function restRows(store: Store, sql: string): Promise<RestRows> {
  const ids = new Map<number, string | null>();
  for await (const [row, id] of store.stream(sql, pairsOf)) ids.set(row, id);
  return { rows: [...ids.keys()], idOf: (row) => ids.get(row) ?? null };
}

function* pairsOf([rows = [], ids = []]: Columns): Generator<readonly [number, string | null]> {
  for (const [index, row] of rows.entries()) {
    const id = ids[index];
    if (typeof row === 'number') yield [row, typeof id === 'string' ? id : null];
  }
}

const meaning = z.object({ net: z.number(), gross: z.number() });
const places = z.object({ inside: z.number(), beside: z.number() });

async function assumedReadings(store: Store, given: AcceptanceInput['readings']): Promise<AssumedReadings> {
  let { amount_meaning, input_includes_cache } = given;
  if (amount_meaning === null) {
    const [told] = await store.rows(TELLING_AMOUNT_SQL, meaning);
    amount_meaning = told !== undefined && told.gross > told.net ? 'gross' : 'net';
  }
  if (input_includes_cache === null) {
    const [told] = await store.rows(TELLING_CACHE_SQL, places);
    input_includes_cache = told !== undefined && told.beside > told.inside ? 'no' : 'yes';
  }
  return { amount_meaning, input_includes_cache };
}

const named = z.looseObject({ request_id: z.string().min(1) });

async function restRecords(
  lines: AsyncIterable<PickedLine>,
  idOf: RestRows['idOf'],
): Promise<readonly UsageRecordLine[]> {
  const records: UsageRecordLine[] = [];
  for await (const { text, row, wanted } of lines) {
    const parsed = recordLine.safeParse(jsonOf(text));
    // The loader tells the file and the line of what is damaged.
    if (!parsed.success) throw damagedRecord();
    if (!wanted) continue;
    const id = named.safeParse(parsed.data.record).data?.request_id;
    if ((id === undefined ? null : JSON.stringify(id)) !== idOf(row)) throw new UnlikeRows();
    records.push(parsed.data);
  }
  return records;
}

function damagedRecord(): WeighbridgeError {
  return new WeighbridgeError({
    code: UNREADABLE,
    message: 'a usage line is damaged',
    hint: '',
    exitCode: 1,
  });
}

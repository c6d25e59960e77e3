import { z } from 'zod';
import { WeighbridgeError } from '../../core/failure.ts';
import type { UsageRecordLine, UsageWindow } from '../../core/usage-lines.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import type { JudgedReads } from '../../ledger/store/import-records.ts';
import { createJsonMacros } from '../../ledger/store/json-macros.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import type { PriceCell } from '../../pricebook/price-cell.ts';
import { acceptanceSql, type EarlierSweep, keepReadsSql, likeUnknownSql } from './acceptance-sql.ts';
import type { AcceptedSums, AssumedReadings } from './accepted-sums.ts';
import { createAcceptedNow, MOST_CELLS } from './accepted-table.ts';
import { assumedReadings } from './assumed-readings.ts';
import { keepAcceptance } from './keep-acceptance.ts';
import { type KeptAcceptance, openKept, StaleAcceptance } from './kept-acceptance.ts';
import { numberedCells } from './numbered-cells.ts';
import { readRest } from './read-rest.ts';
import { acceptedSums } from './read-sums.ts';
import { UnlikeRows } from './rest-lines.ts';
import { stagePrices } from './stage-prices.ts';
import { stageLines } from './stage-world.ts';
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
  /** As declared by the user or published by the target; null lets the records decide, as `billingSettings` does. */
  readonly readings: { readonly [Name in keyof AssumedReadings]: AssumedReadings[Name] | null };
  /** A record of an accepted call is created within this after its end. */
  readonly late_ms: number;
  readonly earlier: readonly EarlierSweep[];
  readonly posting_ms: number;
  /** Calls that are never accepted: open items of earlier runs wait for their own judgement. */
  readonly apart: { readonly calls: readonly string[]; readonly requests: readonly string[] };
  readonly temp_dir: string;
  /** Of the program: what another one accepted is accepted anew. */
  readonly version: string;
}

/** What only the loaders can judge; they tell the file and the line. */
export const UNREADABLE = 'store_unreadable';

/** What was accepted, and all other rows and records in the forms that the loaders give. */
export interface Acceptance {
  readonly accepted: AcceptedSums;
  readonly ledger: LoadedLedger;
  readonly records: readonly UsageRecordLine[];
  /** What was accepted is kept for the next judgement. */
  readonly kept: boolean;
}

/**
 * Accepts the calls that are clean for certain, in SQL, and loads the rest. Where a file has a line that only the
 * loaders can judge, nothing is accepted and the reason is told: the loaders then read everything. `kept` is what an
 * earlier judgement accepted: then only what has come since, and what that touches, is seen. Throws as `loadLedger` and
 * the store do, and StaleAcceptance.
 */
export async function acceptCleanCalls(
  store: Store,
  input: AcceptanceInput,
  kept?: KeptAcceptance,
): Promise<Acceptance | { readonly declined: string }> {
  try {
    return await accept(store, input, kept ?? (await openKept(store, null, input, () => undefined)));
  } catch (cause) {
    if (cause instanceof WeighbridgeError && cause.code === UNREADABLE) return { declined: cause.message };
    if (cause instanceof UnlikeRows && kept?.state == null)
      return { declined: 'the lines of the files do not go with the rows that were read' };
    throw cause;
  }
}

async function accept(
  store: Store,
  input: AcceptanceInput,
  kept: KeptAcceptance,
): Promise<Acceptance | { readonly declined: string }> {
  const { state } = kept;
  await createJsonMacros(store);
  const staged = await stageLines(store, input, state);
  const cells = usableCells(input.cells(await calledModels(store)));
  if (cells.length > MOST_CELLS) return { declined: `the book has more than ${MOST_CELLS} prices` };
  await stagePrices(store, await numberedCells(store, cells));
  const readings = await assumedReadings(store, input.readings);
  if (state !== null && !isSame(state.readings, readings))
    throw new StaleAcceptance('the bill is read otherwise');
  const into = state === null ? 'kept.accepted' : 'accepted_now';
  if (state !== null) await createAcceptedNow(store);
  const { several, intents } = staged;
  await store.run(acceptanceSql(into, { ...input, readings, several, intents }));
  await store.run(`DELETE FROM ${into} WHERE place IN (${likeUnknownSql(into)})`);
  if (several) await store.run(keepReadsSql(into));
  if (state !== null) await store.run(`INSERT INTO kept.accepted SELECT * FROM ${into}`);
  for (const sql of witnessesSql(input.witnesses_per_price, state !== null && !staged.taken))
    await store.run(sql);
  const rest = await readRest(store, input, staged, into);
  return {
    accepted: await acceptedSums(store, readings, input.judged.sweep, rest.callIdAt),
    ledger: rest.ledger,
    records: rest.records,
    kept: kept.outlasts && (await keepAcceptance(store, input, state, { staged, readings, rest })),
  };
}

function isSame(left: AssumedReadings, right: AssumedReadings): boolean {
  return (
    left.amount_meaning === right.amount_meaning && left.input_includes_cache === right.input_includes_cache
  );
}

const modelRow = z.object({ model: z.string() });

/** Of all calls: those that were accepted before have met a price that is kept. */
async function calledModels(store: Store): Promise<readonly string[]> {
  const rows = await store.rows(
    'SELECT model FROM calls WHERE fit UNION SELECT model FROM kept.cells ORDER BY model',
    modelRow,
  );
  return rows.map(({ model }) => z.string().parse(JSON.parse(model)));
}

import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { UsageRecordLine } from '../../contracts/usage-lines.ts';
import { parseAmount } from '../../core/amount.ts';
import { compareText } from '../../core/compare-text.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import { createJsonMacros } from '../../ledger/store/json-macros.ts';
import { markWhole } from '../../ledger/store/kept-database.ts';
import type { PartCount } from '../../ledger/store/kept-lines.ts';
import { type KnownFile, knowFile } from '../../ledger/store/known-file.ts';
import { FILE_PLACES } from '../../ledger/store/line-part.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import type { AcceptedSums, AssumedReadings } from '../records/accepted-sums.ts';
import type { AcceptanceInput } from './acceptance-input.ts';
import { acceptanceSql, keepReadsSql, likeUnknownSql } from './acceptance-sql.ts';
import { createAcceptedNow, MOST_CELLS } from './accepted-table.ts';
import { type KeptAcceptance, type KeptState, openKept, stampOf } from './kept-acceptance.ts';
import { type Rest, readRest } from './read-rest.ts';
import { UnlikeRows } from './rest-lines.ts';
import { type StagedWorld, stageLines, stagePrices } from './stage-world.ts';
import { StaleAcceptance } from './stale-acceptance.ts';
import {
  ACCEPTED_TELLING_SQL,
  assumedReadings,
  GROUPS_SQL,
  numberedCells,
  recordSumsSql,
  usableCells,
  witnessesSql,
} from './witnesses-sql.ts';

/** What only the loaders can judge; they tell the file and the line. */
const UNREADABLE = 'store_unreadable';

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

/** Sums come as decimals of 12 places. */
const pico = z.string().transform((text) => {
  const amount = parseAmount(text);
  if (amount === null) throw new RangeError(`read-sums: expected USD with 12 decimals, found ${text}`);
  return amount;
});

/** Ids are kept in their JSON form. */
const id = z.string().transform((text) => z.string().parse(JSON.parse(text)));

const group = z.object({ place: z.number(), calls: z.number(), charged: pico, refunded: pico });

const records = z.object({
  sweep: z.number(),
  pass: z.number().nullable(),
  model: id,
  day: z.string(),
  records: z.number(),
  amount: pico,
  reserved: pico,
  refunded: pico,
});

const telling = z.object({
  first_started_ms: z.number().nullable(),
  last_sign_ms: z.number().nullable(),
  net: z.number(),
  gross: z.number(),
  inside: z.number(),
  beside: z.number(),
  returned: z.number(),
  released: z.number(),
});

/** The sums over all accepted calls, their witnesses left out. `callIdAt` tells those by the place of their row. */
async function acceptedSums(
  store: Store,
  assumed: AssumedReadings,
  sweep: number,
  callIdAt: (place: number) => string,
): Promise<AcceptedSums> {
  const [told] = await store.rows(ACCEPTED_TELLING_SQL, telling);
  const groups = await store.rows(GROUPS_SQL, group);
  const witnesses = await store.rows(
    'SELECT place::DOUBLE AS place FROM witnesses',
    z.object({ place: z.number() }),
  );
  return {
    assumed,
    first_started_ms: told?.first_started_ms ?? null,
    last_sign_ms: told?.last_sign_ms ?? null,
    groups: groups
      .map(({ place, ...sums }) => ({ witness: callIdAt(place), ...sums }))
      .sort((left, right) => compareText(left.witness, right.witness)),
    witnesses: witnesses.map(({ place }) => callIdAt(place)).sort(compareText),
    records: await store.rows(recordSumsSql(sweep, assumed.amount_meaning === 'net'), records),
    telling: {
      net: told?.net ?? 0,
      gross: told?.gross ?? 0,
      inside: told?.inside ?? 0,
      beside: told?.beside ?? 0,
      returned: told?.returned ?? 0,
      released: told?.released ?? 0,
    },
  };
}

/** With more lines than these left, the next judgement would be hardly faster for what is kept. */
const MOST_LINES = 400_000;

interface Done {
  readonly staged: StagedWorld;
  readonly readings: AssumedReadings;
  readonly rest: Rest;
}

/** Keeps for the next judgement what this one accepted and read; false where it is not worth it. */
async function keepAcceptance(
  store: Store,
  input: AcceptanceInput,
  before: KeptState | null,
  { staged, readings, rest }: Done,
): Promise<boolean> {
  const { calls, records } = rest.lines;
  // What is appended to a line that has not ended changes that line.
  if (!staged.calls.ended || !staged.records.ended) return false;
  if (calls.count + records.count > MOST_LINES) return false;
  await calls.keep(store);
  await records.keep(store);
  const state: KeptState = {
    stamp: stampOf(input),
    readings,
    windows: input.windows.map(({ start, end }) => ({ start, end })),
    calls: await knownFiles(input.ledger_files, before?.calls ?? [], calls.marked.counts),
    records: await knownFiles(input.record_files, before?.records ?? [], records.marked.counts),
  };
  await markWhole(store, JSON.stringify(state));
  return true;
}

async function knownFiles(
  files: readonly string[],
  before: readonly KnownFile[],
  counts: readonly PartCount[],
): Promise<KnownFile[]> {
  const known: KnownFile[] = [];
  for (const [index, file] of files.entries()) {
    const { bytes = 0, lines = 0, rows = 0 } = before[index] ?? {};
    const count = counts.find(({ part }) => Math.floor(part.place / FILE_PLACES) === index);
    const added = count === undefined ? 0 : (await stat(count.part.path)).size;
    const read = {
      bytes: bytes + added,
      lines: lines + (count?.lines ?? 0),
      rows: rows + (count?.rows ?? 0),
    };
    known.push(await knowFile(file, read));
  }
  return known;
}

import { z } from 'zod';
import { findChanged, importRecords } from '../../ledger/store/import-records.ts';
import { markOpen } from '../../ledger/store/kept-database.ts';
import { readKeptLines } from '../../ledger/store/kept-lines.ts';
import type { PlacedLine } from '../../ledger/store/line-part.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import {
  importCalls,
  KIND_NUMBER,
  type OpenParts,
  openParts,
  StagedLines,
} from '../../ledger/store/stage-lines.ts';
import type { PriceCell } from '../../pricebook/cells/price-cell.ts';
import { fitsBigint } from '../../pricebook/cells/price-sql.ts';
import type { AcceptanceInput } from './acceptance-input.ts';
import { AMBIGUOUS_SQL, APART_SQL } from './acceptance-sql.ts';
import type { KeptState } from './kept-acceptance.ts';
import { holdToTouched, takeTouched } from './recall-touched.ts';

/** What is staged in `calls` and `records`: all lines, or those that have come and all that they may change. */
export interface StagedWorld {
  /** New lines of the files. */
  readonly calls: OpenParts;
  readonly records: OpenParts;
  /** Lines that were read before, ascending; without those of calls that stay accepted. */
  readonly before: { readonly calls: readonly PlacedLine[]; readonly records: readonly PlacedLine[] };
  /** Records were read more than once. */
  readonly several: boolean;
  readonly intents: boolean;
  /** Some calls that were accepted before are no longer so. */
  readonly taken: boolean;
}

export async function stageLines(
  store: Store,
  input: AcceptanceInput,
  state: KeptState | null,
): Promise<StagedWorld> {
  const { temp_dir, ledger_files, record_files, judged } = input;
  const calls = await openParts(ledger_files, state?.calls ?? [], temp_dir, 'calls');
  const records = await openParts(record_files, state?.records ?? [], temp_dir, 'records');
  if (state !== null) await markOpen(store);
  const rest = {
    calls: await readKeptLines(store, 'calls'),
    records: await readKeptLines(store, 'records'),
  };
  const stagedCalls = new StagedLines(store, {
    kind: 'calls',
    temp_dir,
    importFile: (file, behind) => importCalls(store, file, behind),
  });
  const stagedRecords = new StagedLines(store, {
    kind: 'records',
    temp_dir,
    importFile: (file, behind) => importRecords(store, file, behind, judged),
  });
  await stagedCalls.begin(calls.parts, rest.calls);
  await stagedRecords.begin(records.parts, rest.records);
  let taken = false;
  let several = await stageShared(store, input, stagedRecords.files);
  if (state !== null) {
    const touched = await takeTouched(store, { calls: ledger_files, records: record_files });
    taken = touched.calls.length > 0;
    await stagedCalls.add(touched.calls);
    await stagedRecords.add(touched.records);
    rest.calls = merged(rest.calls, touched.calls);
    rest.records = merged(rest.records, touched.records);
    several = await stageShared(store, input, stagedRecords.files);
    await holdToTouched(store);
  }
  const [some] = await store.rows(
    'SELECT count(*)::DOUBLE AS intents FROM calls WHERE is_intent',
    z.object({ intents: z.number() }),
  );
  return { calls, records, before: rest, several, intents: (some?.intents ?? 0) > 0, taken };
}

/** What is never accepted, for an id that several have or because it is to be judged by itself. */
async function stageShared(
  store: Store,
  { apart }: AcceptanceInput,
  files: readonly string[],
): Promise<boolean> {
  const several = await findChanged(store, files);
  for (const sql of AMBIGUOUS_SQL) await store.run(sql);
  await store.run('CREATE OR REPLACE TABLE apart (call_id VARCHAR, request VARCHAR)');
  await store.append('apart', [
    ...apart.calls.map((id) => [JSON.stringify(id), null]),
    ...apart.requests.map((id) => [null, JSON.stringify(id)]),
  ]);
  for (const sql of APART_SQL) await store.run(sql);
  return several;
}

function merged(left: readonly PlacedLine[], right: readonly PlacedLine[]): PlacedLine[] {
  return [...left, ...right].sort((one, other) => one.place - other.place);
}

/** Stages price cells as table `price_cells`, one row for each kind of call; names are kept in their JSON form. */
export async function stagePrices(store: Store, cells: readonly PriceCell[]): Promise<void> {
  const whole = cells.every(fitsBigint) ? 'BIGINT' : 'HUGEINT';
  await store.run(`CREATE OR REPLACE TABLE price_cells (cell INTEGER, book VARCHAR, version VARCHAR, model VARCHAR,
    endpoint TINYINT, len_from BIGINT, len_to BIGINT, valid_from_s DOUBLE, valid_to_s DOUBLE,
    p_in ${whole}, p_out ${whole}, p_read ${whole}, p_write ${whole}, p_unit ${whole}, p_request ${whole},
    d ${whole}, quantum_pico ${whole}, mode INTEGER, min_pico ${whole}, min_at_zero BOOLEAN)`);
  await store.append(
    'price_cells',
    cells.flatMap((cell) =>
      kindsOf(cell).map((kind) => [
        cell.cell,
        JSON.stringify(cell.pricebook_id),
        JSON.stringify(cell.pricing_version),
        JSON.stringify(cell.model),
        kind,
        cell.len_from,
        cell.len_to,
        cell.valid_from_s,
        cell.valid_to_s,
        cell.p_in,
        cell.p_out,
        cell.p_read,
        cell.p_write,
        cell.p_unit,
        cell.p_request,
        cell.d,
        cell.quantum_pico,
        cell.mode,
        cell.min_pico,
        cell.min_at_zero,
      ]),
    ),
  );
}

/** A call finds its price by equality alone: with a condition instead each call would meet the prices of all kinds. */
function kindsOf({ endpoint }: PriceCell): readonly number[] {
  if (endpoint === null) return [...KIND_NUMBER.values()];
  const number = KIND_NUMBER.get(endpoint);
  return number === undefined ? [] : [number];
}

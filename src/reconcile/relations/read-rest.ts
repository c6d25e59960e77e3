import { z } from 'zod';
import { jsonOf } from '../../core/json-of.ts';
import type { UsageRecordLine } from '../../core/usage-lines.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import type { LineKind } from '../../ledger/store/kept-lines.ts';
import type { Columns, Store } from '../../ledger/store/open-store.ts';
import type { PickedLine } from '../../ledger/store/pick-lines.ts';
import { restLedger } from '../../ledger/store/rest-ledger.ts';
import type { AcceptanceInput } from './accept-clean-calls.ts';
import { restCallsSql, restRecordsSql } from './acceptance-sql.ts';
import { RestLines, type WantedLines } from './rest-lines.ts';
import { restRecords } from './rest-records.ts';
import type { StagedWorld } from './stage-world.ts';
import { WITNESS_CALLS_SQL, WITNESS_RECORDS_SQL } from './witnesses-sql.ts';

export interface Rest {
  readonly ledger: LoadedLedger;
  readonly records: readonly UsageRecordLine[];
  /** Of a witness, by the place of its row. */
  readonly callIdAt: (place: number) => string;
  readonly lines: Readonly<Record<LineKind, RestLines>>;
}

/** The lines of which nothing was accepted into table `into`, and those of witnesses, in the forms that the loaders give. */
export async function readRest(
  store: Store,
  input: AcceptanceInput,
  { calls, records, before, several }: StagedWorld,
  into: string,
): Promise<Rest> {
  const wantedCalls = await wantedLines(store, restCallsSql(into), WITNESS_CALLS_SQL);
  const wantedRecords = await wantedLines(store, restRecordsSql(into, several), WITNESS_RECORDS_SQL);
  const lines = {
    calls: await RestLines.of(store, 'calls', input.ledger_files, calls.parts, before.calls, wantedCalls),
    records: await RestLines.of(
      store,
      'records',
      input.record_files,
      records.parts,
      before.records,
      wantedRecords,
    ),
  };
  const callIds = new Map<number, string>();
  const ledger = await restLedger(
    told(lines.calls.read(), wantedCalls, callIdOf, (place, id) => callIds.set(place, id)),
    (place) => wantedCalls.ids.get(place),
    calls.torn,
  );
  const usage = await restRecords(
    told(lines.records.read(), wantedRecords, requestOf, () => undefined),
    (place) => wantedRecords.ids.get(place),
  );
  await lines.calls.holdToHashes();
  await lines.records.holdToHashes();
  return { ledger, records: usage, callIdAt: (place) => callIds.get(place) ?? '', lines };
}

async function wantedLines(store: Store, restSql: string, witnessSql: string): Promise<WantedLines> {
  const ids = new Map<number, string | null>();
  for await (const [place, id] of store.stream(restSql, pairsOf))
    ids.set(place, typeof id === 'string' ? id : null);
  const hashes = new Map<number, bigint>();
  for await (const [place, hash] of store.stream(witnessSql, pairsOf))
    if (typeof hash === 'bigint') hashes.set(place, hash);
  return { ids, hashes, told: new Map() };
}

function* pairsOf([places = [], values = []]: Columns): Generator<readonly [number, unknown]> {
  for (const [index, place] of places.entries()) if (typeof place === 'number') yield [place, values[index]];
}

const call = z.looseObject({ call_id: z.string() });
const record = z.looseObject({ record: z.looseObject({ request_id: z.string() }) });

function callIdOf(text: string): string | undefined {
  return call.safeParse(jsonOf(text)).data?.call_id;
}

function requestOf(text: string): string | undefined {
  return record.safeParse(jsonOf(text)).data?.record.request_id;
}

/** Notes the ids of witnesses while their lines are read. */
async function* told(
  lines: AsyncIterable<PickedLine>,
  wanted: WantedLines,
  idOf: (text: string) => string | undefined,
  note: (place: number, id: string) => void,
): AsyncGenerator<PickedLine, void, undefined> {
  for await (const line of lines) {
    if (wanted.hashes.has(line.place)) {
      const id = idOf(line.text);
      // What is no line of a call or record is told by who reads it.
      if (id !== undefined) {
        wanted.told.set(line.place, id);
        note(line.place, id);
      }
    }
    yield line;
  }
}

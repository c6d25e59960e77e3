import { z } from 'zod';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { type UsageRecordLine, usageRecordLine } from '../../contracts/usage-lines.ts';
import { collectLedger, type LoadedLedger } from '../../ledger/load-ledger.ts';
import { parseLedgerLine } from '../../ledger/parse-ledger-line.ts';
import { corruptLedger, type LedgerItem } from '../../ledger/read-ledger.ts';
import type { LineKind } from '../../ledger/store/kept-lines.ts';
import { FILE_PLACES } from '../../ledger/store/line-part.ts';
import type { Columns, Store } from '../../ledger/store/open-store.ts';
import type { PickedLine } from '../../ledger/store/pick-lines.ts';
import type { TornFile } from '../../ledger/store/torn-tail.ts';
import { textLines } from '../../ledger/text-lines.ts';
import { jsonOf } from '../../text/json-of.ts';
import type { AcceptanceInput } from './acceptance-input.ts';
import { restCallsSql, restRecordsSql } from './acceptance-sql.ts';
import { RestLines, type WantedLines } from './rest-lines.ts';
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
  const unread = await unreadRows(store, input.ledger_files);
  const ledger = await restLedger(lines.calls.read(), lines.calls.note, calls.torn, unread);
  const usage = await restRecords(lines.records.read(), lines.records.note);
  await lines.calls.holdToHashes();
  await lines.records.holdToHashes();
  const callIdAt = (place: number): string => {
    const told = lines.calls.toldAt(place);
    return told === undefined ? '' : z.string().parse(jsonOf(told));
  };
  return { ledger, records: usage, callIdAt, lines };
}

const fileRows = z.object({ file: z.number(), rows: z.number() });

/** Rows by file that were accepted and are judged by their witnesses alone. */
async function unreadRows(store: Store, files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = await store.rows(
    `SELECT (place // ${FILE_PLACES})::DOUBLE AS file, count(*)::DOUBLE AS rows FROM kept.accepted
     WHERE place NOT IN (SELECT place FROM witnesses) GROUP BY ALL`,
    fileRows,
  );
  return new Map(counts.map(({ file, rows }) => [files[file] ?? '', rows]));
}

async function wantedLines(store: Store, restSql: string, witnessSql: string): Promise<WantedLines> {
  const hashes = new Map<number, bigint | null>();
  for await (const [place, hash] of store.stream(restSql, pairsOf)) hashes.set(place, hash);
  const rest = new Set(hashes.keys());
  for await (const [place, hash] of store.stream(witnessSql, pairsOf)) hashes.set(place, hash);
  return { hashes, rest };
}

function* pairsOf([places = [], hashes = []]: Columns): Generator<readonly [number, bigint | null]> {
  for (const [index, place] of places.entries()) {
    const hash = hashes[index];
    if (typeof place === 'number') yield [place, typeof hash === 'bigint' ? hash : null];
  }
}

const named = z.looseObject({ request_id: z.string().min(1) });

/** What picked lines of records come to, as `restLedger` of those of calls; `note` is told request ids. */
async function restRecords(
  lines: AsyncIterable<PickedLine>,
  note: (place: number, id: string | null) => void,
): Promise<readonly UsageRecordLine[]> {
  const records: UsageRecordLine[] = [];
  for await (const { text, place, wanted } of lines) {
    const parsed = usageRecordLine.safeParse(jsonOf(text));
    // The loader tells the file and the line of what is damaged.
    if (!parsed.success) throw damagedRecord();
    if (!wanted) continue;
    const id = named.safeParse(parsed.data.record).data?.request_id;
    note(place, id === undefined ? null : JSON.stringify(id));
    records.push(parsed.data);
  }
  return records;
}

function damagedRecord(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'store_unreadable',
    message: 'a usage line is damaged',
    hint: '',
    exitCode: EXIT.internal,
  });
}

/**
 * What picked lines of ledger files come to, in the loader's own form. `note` is told the call id, in its JSON form, of
 * the line at a place; null where it has none. `elsewhere` as for `collectLedger`. Throws as `loadLedger` does.
 */
export async function restLedger(
  lines: AsyncIterable<PickedLine>,
  note: (place: number, id: string | null) => void,
  torn: readonly TornFile[],
  elsewhere: ReadonlyMap<string, number>,
): Promise<LoadedLedger> {
  async function* items(): AsyncGenerator<LedgerItem, void, undefined> {
    for await (const { file, number, place, text, wanted } of lines) {
      const at = { file, line: number };
      const parsed = parseLedgerLine(text);
      if ('damaged' in parsed) throw corruptLedger(file, number, parsed.damaged);
      if (!wanted) continue;
      if ('unknown_schema' in parsed) {
        yield { ...at, unknown_schema: parsed.unknown_schema };
        continue;
      }
      note(place, 'call_id' in parsed.line ? JSON.stringify(parsed.line.call_id) : null);
      yield { ...at, value: parsed.line };
    }
    for (const { file, tail } of torn) {
      const parsed = parseLedgerLine(tail);
      const what = 'damaged' in parsed ? parsed.damaged : 'not ended';
      yield { file, line: await lineCount(file), problem: `truncated last line: ${what}` };
    }
  }
  return collectLedger(items(), elsewhere);
}

async function lineCount(file: string): Promise<number> {
  let count = 0;
  for await (const { number } of textLines(file)) count = number;
  return count;
}

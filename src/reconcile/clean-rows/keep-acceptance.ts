import { stat } from 'node:fs/promises';
import { markWhole } from '../../ledger/store/kept-database.ts';
import type { PartCount } from '../../ledger/store/kept-lines.ts';
import { type KnownFile, knowFile } from '../../ledger/store/known-file.ts';
import { FILE_PLACES } from '../../ledger/store/line-part.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import type { AssumedReadings } from '../records/accepted-sums.ts';
import type { AcceptanceInput } from './acceptance-input.ts';
import { type KeptState, stampOf } from './kept-acceptance.ts';
import type { Rest } from './read-rest.ts';
import type { StagedWorld } from './stage-world.ts';

/** With more lines than these left, the next judgement would be hardly faster for what is kept. */
const MOST_LINES = 400_000;

interface Done {
  readonly staged: StagedWorld;
  readonly readings: AssumedReadings;
  readonly rest: Rest;
}

/** Keeps for the next judgement what this one accepted and read; false where it is not worth it. */
export async function keepAcceptance(
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

import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReconcileInput } from '../input/reconcile-input.ts';
import { archivedBook, bookDocument, inputOf, recordOf } from '../reconcile.test-support.ts';
import { intentOf, START_MS, textRow } from '../rows.test-support.ts';
import { HEADER, textOf } from './acceptance.test-support.ts';
import { chance, worldOf } from './random-world.test-support.ts';
import { reconcileInStore } from './reconcile-in-store.ts';

/** A folder to whose files is appended, and that is judged after each time. */
class GrowingFolder {
  readonly said: string[] = [];
  readonly ledger: readonly string[];
  readonly records: string;
  readonly kept: string;
  readonly #dir = mkdtempSync(join(tmpdir(), 'weighbridge-kept-'));

  constructor(ledgers = 1) {
    this.ledger = Array.from({ length: ledgers }, (_, index) => join(this.#dir, `${index}.ndjson`));
    this.records = join(this.#dir, 'records.ndjson');
    this.kept = join(this.#dir, 'accepted.duckdb');
    for (const file of [...this.ledger, this.records]) writeFileSync(file, '');
  }

  /** As text, so that not a digit may differ; with what was judged before, or without. */
  async judge(world: ReconcileInput, keep = true, version = '1'): Promise<string> {
    const done = await reconcileInStore(
      world,
      { ledger: this.ledger, records: [this.records] },
      {
        memory_bytes: 1_000_000_000,
        dir: this.#dir,
        say: (line) => this.said.push(line),
        ...(keep ? { keep: { file: this.kept, version } } : {}),
      },
    );
    if ('declined' in done) throw new Error(done.declined);
    return JSON.stringify(done, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  }
}

const linesOf = ({ ledger }: ReconcileInput): readonly unknown[] => [
  HEADER,
  ...ledger.intents,
  ...ledger.rows,
  ...ledger.states,
];

/** Cuts a text into so many pieces, anywhere. */
function cut(text: string, pieces: number, pick: (most: number) => number): readonly string[] {
  const bytes = Buffer.from(text);
  const ends = Array.from({ length: pieces - 1 }, () => pick(bytes.length)).sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.toString('utf8', ends[index - 1] ?? 0, end));
}

test.each([1, 2, 5, 8, 9, 13])(
  'what was appended piece by piece is judged as if it had been there at once, world %i',
  async (seed) => {
    const world = worldOf(seed, 200);
    const pick = chance(seed);
    const folder = new GrowingFolder(2);
    const lines = linesOf(world);
    const half = pick(lines.length);
    const ledgers = [lines.slice(0, half), lines.slice(half)].map((own) => cut(textOf(own), 3, pick));
    const records = cut(textOf(world.records), 3, pick);
    for (const index of [0, 1, 2]) {
      for (const [file, pieces] of ledgers.entries())
        appendFileSync(folder.ledger[file] ?? '', pieces[index] ?? '');
      appendFileSync(folder.records, records[index] ?? '');
      await folder.judge(world);
    }
    expect(await folder.judge(world)).toBe(await folder.judge(world, false));
    expect(existsSync(folder.kept)).toBe(true);
  },
);

const NAMES = Array.from({ length: 260 }, (_, index) => String(index));

/** Calls that are right, judged once, and what is appended to them. */
async function judgedBefore(): Promise<{ readonly folder: GrowingFolder; readonly world: ReconcileInput }> {
  const world = inputOf({
    rows: NAMES.map((name) => textRow(name)),
    intents: NAMES.map((name) => intentOf(name)),
    sweeps: [{ records: NAMES.map((name) => recordOf(name)), at_ms: START_MS + 48 * 3_600_000 }],
    key: 'exclusive',
  });
  const folder = new GrowingFolder();
  appendFileSync(folder.ledger[0] ?? '', textOf(linesOf(world)));
  appendFileSync(folder.records, textOf(world.records));
  await folder.judge(world);
  return { folder, world };
}

/** As the reader writes the first record of a world, with changes. */
function recordLine({ records }: ReconcileInput, changes: object, read: object = {}): string {
  const [first] = records;
  return textOf([{ ...first, ...read, record: { ...recordOf('0'), ...changes } }]);
}

test('lines that were judged are not read again', async () => {
  const { folder, world } = await judgedBefore();
  const files = [...folder.ledger, folder.records];
  for (const file of files) utimesSync(file, 1, 1);
  const before = await folder.judge(world);
  for (const file of files) {
    writeFileSync(file, ' '.repeat(statSync(file).size));
    utimesSync(file, 1, 1);
  }
  expect(await folder.judge(world)).toBe(before);
  expect(folder.said).toEqual([]);
});

/** The last call is no witness: nothing of it is kept but its figures. */
const LAST = '259';

test.each<[string, (world: ReconcileInput) => { readonly call?: string; readonly record?: string }, string]>([
  [
    'a second record of a call that was right',
    (world) => ({ record: recordLine(world, { id: 'rec-again', request_id: `req-${LAST}` }) }),
    'duplicate_charge',
  ],
  [
    'a second record with other tokens',
    (world) => ({
      record: recordLine(world, { id: 'rec-again', request_id: `req-${LAST}`, output_tokens: 7 }),
    }),
    'rec-again',
  ],
  [
    'another content of its record, read by its id',
    (world) => ({
      record: recordLine(
        world,
        { ...recordOf(LAST), amount: '0.1' },
        { by_request_id: true, read_at: '2026-11-22T12:30:00.000Z' },
      ),
    }),
    'amount_mismatch',
  ],
  [
    'a record of no call that looks like it',
    (world) => ({ record: recordLine(world, { id: 'rec-x', request_id: 'req-x' }) }),
    'phantom_record',
  ],
  [
    'a further attempt of it',
    () => ({ call: textOf([textRow('x', { logical_id: `call-${LAST}`, attempt: 2 })]) }),
    '',
  ],
])('sees a call again that %s tells of', async (_, appended, found) => {
  const { folder, world } = await judgedBefore();
  const { call = '', record = '' } = appended(world);
  appendFileSync(folder.ledger[0] ?? '', call);
  appendFileSync(folder.records, record);
  const now = await folder.judge(world);
  expect(now).toContain(found);
  expect(now).toBe(await folder.judge(world, false));
  expect(folder.said).toEqual([]);
});

test.each<[string, (folder: GrowingFolder) => void]>([
  ['is damaged', ({ kept }) => truncateSync(kept, 20_000)],
  ['is none', ({ kept }) => writeFileSync(kept, 'nothing')],
  [
    'is of a file that was changed',
    ({ records }) => writeFileSync(records, readFileSync(records, 'utf8').replace('0.0072', '0.0071')),
  ],
])('judges all anew where what was kept %s, and says so', async (_, change) => {
  const { folder, world } = await judgedBefore();
  change(folder);
  expect(await folder.judge(world)).toBe(await folder.judge(world, false));
  expect(folder.said).toEqual([expect.stringContaining('what was judged before is')]);
  await folder.judge(world);
  expect(folder.said).toHaveLength(1);
});

test('judges all anew by another version, other terms or other prices', async () => {
  const { folder, world } = await judgedBefore();
  await folder.judge(world, true, '2');
  expect(folder.said).toHaveLength(1);
  const [book] = world.books;
  const dearer = bookDocument({ rounding: { scope: 'record', quantum: '0.0001', mode: 'up' } });
  const changed = { ...world, books: [archivedBook(dearer, book?.sha256)] };
  expect(await folder.judge(changed, true, '2')).toBe(await folder.judge(changed, false));
  expect(folder.said[1]).toContain('prices have changed');
  const settled = {
    ...changed,
    reads: changed.reads.map((read) => ({ ...read, window: { start: 0, end: 1 } })),
  };
  expect(await folder.judge(settled, true, '2')).toBe(await folder.judge(settled, false));
  expect(folder.said).toHaveLength(3);
});

test('keeps nothing where a last line has not ended, and takes it up when it has', async () => {
  const { folder, world } = await judgedBefore();
  const line = recordLine(world, { id: 'rec-x', request_id: 'req-x' });
  appendFileSync(folder.records, line.trimEnd());
  const open = await folder.judge(world);
  expect(existsSync(folder.kept)).toBe(false);
  appendFileSync(folder.records, '\n');
  expect(await folder.judge(world)).toBe(open);
  expect(existsSync(folder.kept)).toBe(true);
});

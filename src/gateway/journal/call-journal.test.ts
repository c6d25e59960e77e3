import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { WeighbridgeError } from '../../contracts/failure.ts';
import { JOURNAL_SCHEMA, type JournalFault } from '../../contracts/journal.ts';
import { CallJournal, KEPT_LINES } from './call-journal.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wb-journal-'));
  path = join(folder, 'journal.ndjson');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const line = (ordinal: number): JournalFault => ({
  schema: JOURNAL_SCHEMA,
  type: 'fault',
  fault: 'net.fin_mid',
  request_id: 'ä'.repeat(ordinal % 7),
  ordinal,
  parameters: {},
  delta: '0',
});

const inFile = (): number[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => z.object({ ordinal: z.number() }).parse(JSON.parse(text)).ordinal);

test('lines of one turn are in the file, in order, once they are said to be written', async () => {
  const journal = new CallJournal(path);
  for (let ordinal = 0; ordinal < 500; ordinal += 1) journal.append(line(ordinal));
  await journal.written();
  expect(inFile()).toEqual(Array.from({ length: 500 }, (_, ordinal) => ordinal));
  journal.append(line(500));
  await journal.written();
  expect(inFile()).toHaveLength(501);
  journal.close();
});

test('they are written in their turn of the event loop, also when nobody waits for it', async () => {
  const journal = new CallJournal(path);
  journal.append(line(1));
  journal.append(line(2));
  await new Promise((resolve) => setImmediate(resolve));
  expect(inFile()).toEqual([1, 2]);
  expect(journal.written()).toBeNull();
  journal.close();
});

test('closing writes what waits, and the lines stay readable in memory', () => {
  const journal = new CallJournal(path);
  journal.append(line(1));
  journal.close();
  expect(inFile()).toEqual([1]);
  journal.append(line(2));
  expect(inFile()).toEqual([1]);
  expect(journal.since(0).lines.map((kept) => kept.type === 'fault' && kept.ordinal)).toEqual([1, 2]);
});

test.runIf(process.platform === 'linux')(
  'a write that fails is told once, nothing counts as written after it, and nothing is thrown',
  async () => {
    const told: WeighbridgeError[] = [];
    const journal = new CallJournal('/dev/full', (error) => told.push(error));
    let written = 0;
    for (const ordinal of [1, 2]) {
      journal.append(line(ordinal));
      void journal.written()?.then(() => (written += 1));
      await new Promise((resolve) => setImmediate(resolve));
    }
    journal.close();
    expect([told.length, written, journal.since(0).lines.length]).toEqual([1, 0, 2]);
    expect(told[0]).toMatchObject({
      code: 'journal_unwritable',
      exitCode: 1,
      message: 'expected to write to /dev/full, found ENOSPC',
    });
  },
);

test('without a file nothing is to be waited for', async () => {
  const journal = new CallJournal(null);
  journal.append(line(1));
  await journal.written();
  expect(journal.since(0).lines).toHaveLength(1);
});

test('of very many lines the newest stay in memory, and what is gone is told', () => {
  const journal = new CallJournal(null);
  for (let ordinal = 0; ordinal < 2 * KEPT_LINES + 10; ordinal += 1) journal.append(line(ordinal));
  const { lines, first, next } = journal.since(0);
  expect([first, next, lines.length]).toEqual([KEPT_LINES, 2 * KEPT_LINES + 10, KEPT_LINES + 10]);
  expect(lines[0]).toMatchObject({ ordinal: KEPT_LINES });
  expect(journal.since(next - 2)).toMatchObject({
    first: next - 2,
    lines: [{ ordinal: next - 2 }, { ordinal: next - 1 }],
  });
  expect(journal.since(next + 5)).toEqual({ lines: [], first: next, next });
});

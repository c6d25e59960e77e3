import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { JournalFile } from './journal-file.ts';
import { MemoryDisk } from './memory-disk.test-support.ts';
import type { StateDisk } from './state-disk.ts';

const FILE = '/state/x.ndjson';
const SCHEMA = 'weighbridge.test/1';
const HEADER = `{"schema":"${SCHEMA}"}\n`;
const numbered = z.strictObject({ n: z.int() });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weighbridge-state-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A journal of numbers; its state is the set of them. */
async function open(path: string, disk?: StateDisk) {
  const numbers = new Set<number>();
  const failures: string[] = [];
  const journal = await JournalFile.open(
    path,
    {
      schema: SCHEMA,
      replay: (line) => numbers.add(numbered.parse(line).n),
      snapshot: () => [...numbers].map((n) => ({ n })),
    },
    { ...(disk === undefined ? {} : { disk }), writeFailed: ({ code }) => failures.push(code) },
  );
  function add(n: number): Promise<void> {
    numbers.add(n);
    return journal.append({ n }).catch((error: unknown) => {
      numbers.delete(n);
      throw error;
    });
  }
  function owe(n: number): Promise<void> {
    numbers.add(n);
    return journal.owe({ n });
  }
  return { journal, numbers, failures, add, owe };
}

test('a line stands in the file when its promise resolves, and is there for the next process', async () => {
  const path = join(folder, 'deep/x.ndjson');
  const first = await open(path);
  await first.add(1);
  expect(readFileSync(path, 'utf8')).toBe(`${HEADER}{"n":1}\n`);
  await Promise.all([first.add(2), first.add(3)]);
  await first.journal.close();
  const second = await open(path);
  expect([...second.numbers]).toEqual([1, 2, 3]);
  expect(second.journal.torn_bytes).toBe(0);
  await second.journal.close();
});

test('a line counts only when it is synced', async () => {
  const disk = new MemoryDisk();
  const { add } = await open(FILE, disk);
  await add(1);
  const after = await open(FILE, disk.after({ kind: 'power', kept: 0 }));
  expect([...after.numbers]).toEqual([1]);
});

test('lines that wait share a write', async () => {
  const disk = new MemoryDisk();
  const { add } = await open(FILE, disk);
  await add(0);
  const before = disk.steps;
  await Promise.all(Array.from({ length: 50 }, (_, n) => add(n + 1)));
  expect(disk.steps - before).toBe(2);
});

test('a torn last line is told, and taken away before the next one', async () => {
  const path = join(folder, 'x.ndjson');
  writeFileSync(path, `${HEADER}{"n":1}\n{"n":2`);
  const { journal, numbers, add } = await open(path);
  expect([...numbers]).toEqual([1]);
  expect(journal.torn_bytes).toBe(6);
  await add(3);
  await journal.close();
  expect(readFileSync(path, 'utf8')).toBe(`${HEADER}{"n":1}\n{"n":3}\n`);
});

test.each([
  { what: 'a broken line', text: `${HEADER}{"n":1}\n{"n"\n{"n":3}\n`, code: 'state_corrupt', at: 'line 3' },
  { what: 'a foreign line', text: `${HEADER}{"m":1}\n`, code: 'state_corrupt', at: 'line 2' },
  { what: 'another version', text: '{"schema":"weighbridge.test/2"}\n', code: 'state_version', at: 'line 1' },
])('$what is refused, and the file stays as it is', async ({ text, code, at }) => {
  const path = join(folder, 'x.ndjson');
  writeFileSync(path, text);
  await expect(open(path)).rejects.toMatchObject({ code, message: expect.stringContaining(at) });
  expect(readFileSync(path, 'utf8')).toBe(text);
  // The lock was given back with it.
  writeFileSync(path, HEADER);
  await (await open(path)).journal.close();
});

test('a second writer is refused while the first lives, and not after it', async () => {
  const path = join(folder, 'x.ndjson');
  const { journal } = await open(path);
  await expect(open(path)).rejects.toMatchObject({ code: 'state_in_use' });
  await journal.close();
  await (await open(path)).journal.close();
});

test('a compaction keeps what counts, and what came in meanwhile', async () => {
  const path = join(folder, 'x.ndjson');
  const { journal, numbers, add } = await open(path);
  for (let n = 0; n < 20; n += 1) await add(n);
  for (let n = 0; n < 15; n += 1) numbers.delete(n);
  await Promise.all([journal.compact(), add(100), add(101)]);
  await add(102);
  expect(journal.lines).toBeLessThan(12);
  await journal.close();
  const { numbers: read, journal: again } = await open(path);
  expect([...read].sort((left, right) => left - right)).toEqual([15, 16, 17, 18, 19, 100, 101, 102]);
  await again.close();
});

test('kill or power cut at every step of a compaction with writes around it loses no line', async () => {
  for (const crash of [{ kind: 'kill' }, { kind: 'power', kept: 0 }, { kind: 'power', kept: 0.6 }] as const) {
    for (let diesIn = 1; ; diesIn += 1) {
      const disk = new MemoryDisk();
      disk.diesIn = diesIn;
      disk.torn = 0.5;
      const kept: number[] = [];
      const isDead = await Promise.race([work(disk, kept).then(() => false), disk.died.then(() => true)]);
      const after = await open(FILE, disk.after(crash));
      expect({ diesIn, crash, read: [...after.numbers] }).toMatchObject({
        read: expect.arrayContaining(kept),
      });
      if (!isDead) break;
    }
  }
});

async function work(disk: MemoryDisk, kept: number[]): Promise<void> {
  const { journal, add } = await open(FILE, disk);
  const keep = (n: number) => add(n).then(() => void kept.push(n));
  await keep(1);
  await keep(2);
  const compaction = journal.compact();
  await Promise.all([keep(3), keep(4), compaction]);
  await keep(5);
  await journal.compact();
  await keep(6);
}

test('a line that cannot be written is refused and told; the next one stands behind the last good one', async () => {
  const disk = new MemoryDisk();
  const { add, failures } = await open(FILE, disk);
  await add(1);
  disk.torn = 0.5;
  for (const refused of ['write', 'sync'] as const) {
    disk.fails = (step) => step === refused;
    await expect(add(2)).rejects.toMatchObject({ code: 'state_unwritable', hint: expect.any(String) });
  }
  expect(failures).toEqual(['state_unwritable', 'state_unwritable']);
  disk.fails = () => false;
  await add(3);
  expect(disk.text(FILE)).toBe(`${HEADER}{"n":1}\n{"n":3}\n`);
});

test('an owed line goes in before the next one', async () => {
  const disk = new MemoryDisk();
  const { add, owe, failures } = await open(FILE, disk);
  await add(1);
  disk.fails = () => true;
  await owe(2);
  disk.fails = () => false;
  expect(failures).toHaveLength(1);
  await add(3);
  expect(disk.text(FILE)).toBe(`${HEADER}{"n":1}\n{"n":2}\n{"n":3}\n`);
});

test.each(['create', 'write', 'sync', 'rename'] as const)(
  'a compaction whose %s fails leaves the file',
  async (refused) => {
    const disk = new MemoryDisk();
    const { journal, add, numbers, failures } = await open(FILE, disk);
    await add(1);
    await add(2);
    numbers.delete(1);
    disk.fails = (step) => step === refused;
    await journal.compact();
    disk.fails = () => false;
    expect(failures).toEqual(['state_unwritable']);
    await add(3);
    expect(disk.text(FILE)).toBe(`${HEADER}{"n":1}\n{"n":2}\n{"n":3}\n`);
  },
);

test('what another process appended after a torn line is never joined with it', async () => {
  const path = join(folder, 'x.ndjson');
  writeFileSync(path, '{"sche');
  const { journal, add } = await open(path);
  expect(journal.torn_bytes).toBe(6);
  await add(1);
  await journal.close();
  expect(readFileSync(path, 'utf8')).toBe(`${HEADER}{"n":1}\n`);
  appendFileSync(path, '{"n":2}\n');
  const { numbers, journal: again } = await open(path);
  expect([...numbers]).toEqual([1, 2]);
  await again.close();
});

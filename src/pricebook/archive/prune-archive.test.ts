import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archivedFile, BookArchive, readArchive, type Sighting } from './archive-index.ts';
import { pruneArchive } from './prune-archive.ts';

const NOW = Date.UTC(2027, 0, 31);
const DAYS = 10;

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'prune-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function sighting(what: Sighting['what'], text: string, day: number): Sighting {
  const content = new TextEncoder().encode(JSON.stringify(text));
  const at = new Date(Date.UTC(2027, 0, day)).toISOString();
  return { what, sha256: createHash('sha256').update(content).digest('hex'), at, content };
}

function keep(...seen: readonly (readonly [Sighting['what'], string, number])[]): void {
  const archive = new BookArchive(dir);
  for (const [what, text, day] of seen) archive.see(sighting(what, text, day));
  archive.close();
}

function held(what: Sighting['what'], text: string): boolean {
  return existsSync(archivedFile(dir, sighting(what, text, 1)));
}

test('books before the one in force at the limit go, and nothing of what later charges rest on', () => {
  keep(['book', 'oldest', 1], ['book', 'older', 3], ['book', 'in force', 5], ['book', 'new', 25]);
  const index = readFileSync(join(dir, 'index.ndjson'), 'utf8');
  expect(pruneArchive(dir, DAYS, NOW)).toBe(2);
  expect(['oldest', 'older', 'in force', 'new'].map((text) => held('book', text))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(readFileSync(join(dir, 'index.ndjson'), 'utf8')).toBe(index);
  expect(pruneArchive(dir, DAYS, NOW)).toBe(0);
});

test('a document that was served again lately stays, though it is old', () => {
  keep(['book', 'a', 1], ['book', 'b', 5], ['book', 'c', 6], ['book', 'a', 28]);
  expect(pruneArchive(dir, DAYS, NOW)).toBe(1);
  expect(['a', 'b', 'c'].map((text) => held('book', text))).toEqual([true, false, true]);
});

test('pages of records go when they are too old; identical documents are one file', () => {
  keep(['records', 'p1', 1], ['records', 'p2', 5], ['records', 'p1', 12], ['records', 'p3', 25]);
  expect(readArchive(dir)).toHaveLength(4);
  expect(pruneArchive(dir, DAYS, NOW)).toBe(2);
  expect(['p1', 'p2', 'p3'].map((text) => held('records', text))).toEqual([false, false, true]);
});

test('of an archive that is not there nothing goes', () => {
  expect(pruneArchive(join(dir, 'none'), DAYS, NOW)).toBe(0);
});

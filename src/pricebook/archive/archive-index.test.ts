import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256Of } from '../read/read-price-book.ts';
import { BookArchive, readArchive, type Sighting } from './archive-index.ts';
import { verifiedBytes } from './verified-bytes.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'archive-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function served(name: string, second: number): Sighting {
  const book = {
    object: 'pricebook',
    pricebook_id: 'pb',
    pricing_version: name,
    currency: 'USD',
    models: [{ id: 'm', kind: 'text', unit: 'per_1m_tokens', input: '1', output: '2' }],
  };
  const content = new TextEncoder().encode(JSON.stringify(book));
  const at = `2026-11-01T00:00:${String(second).padStart(2, '0')}.000Z`;
  return { what: 'book', sha256: sha256Of(content), at, content };
}

function stretches(): readonly string[] {
  return readArchive(dir).map(
    ({ pricing_version, first_seen, last_seen }) =>
      `${pricing_version} ${first_seen.slice(17, 19)}-${last_seen.slice(17, 19)}`,
  );
}

test('a book that comes back begins a stretch of its own; the first read of it stays known', () => {
  const archive = new BookArchive(dir);
  for (const [text, second] of [
    ['a', 1],
    ['a', 3],
    ['b', 5],
    ['a', 7],
    ['a', 9],
  ] as const) {
    archive.see(served(text, second));
  }
  archive.close();
  expect(stretches()).toEqual(['a 01-03', 'b 05-05', 'a 07-09']);
  const later = new BookArchive(dir);
  later.see(served('a', 20));
  later.close();
  expect(stretches()).toEqual(['a 01-03', 'b 05-05', 'a 07-09', 'a 20-20']);
});

test('lines are only added, and one that a crash tore is left aside', () => {
  const archive = new BookArchive(dir);
  archive.see(served('a', 1));
  const index = join(dir, 'index.ndjson');
  const before = readFileSync(index, 'utf8');
  archive.see(served('a', 3));
  archive.close();
  expect(readFileSync(index, 'utf8').startsWith(before)).toBe(true);
  appendFileSync(index, '{"schema":"weighbr');
  expect(stretches()).toEqual(['a 01-03']);
  const later = new BookArchive(dir);
  later.see(served('b', 9));
  later.close();
  expect(stretches()).toEqual(['a 01-03', 'b 09-09']);
});

test('a damaged line is refused with file and line', () => {
  writeFileSync(join(dir, 'index.ndjson'), '{"schema":"other"}\n');
  expect(() => readArchive(dir)).toThrow(
    expect.objectContaining({ code: 'archive_corrupt', message: expect.stringContaining('index.ndjson:1') }),
  );
});

test('a book that was edited under its name is refused on reading and on meeting it again', () => {
  const archive = new BookArchive(dir);
  const book = served('a', 1);
  archive.see(book);
  const path = join(dir, 'books', `${book.sha256}.json`);
  expect(verifiedBytes(path)).toEqual(Buffer.from(book.content));
  writeFileSync(path, '{"prices":2}');
  const refused = expect.objectContaining({
    code: 'book_corrupt',
    exitCode: 2,
    message: expect.stringContaining(path),
  });
  expect(() => verifiedBytes(path)).toThrow(refused);
  expect(() => archive.see(book)).toThrow(refused);
});

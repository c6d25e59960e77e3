import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { usedBooks } from './used-books.ts';

const SERVED = 'a'.repeat(64);
const OWN = 'b'.repeat(64);

test('a book of one’s own stands in the place of those that were served', () => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-books-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  expect(usedBooks(dir)).toEqual([]);
  mkdirSync(join(dir, 'books'));
  writeFileSync(join(dir, 'books', `${SERVED}.json`), '{}');
  writeFileSync(join(dir, 'books', 'mapping.yaml'), '');
  expect(usedBooks(dir)).toEqual([
    { name: `${SERVED}.json`, own: false, sha256: SERVED, id: null, version: null },
  ]);
  writeFileSync(join(dir, 'books', `own-${OWN}.csv`), 'model,input\naspen,1\n');
  expect(usedBooks(dir)).toEqual([
    { name: `own-${OWN}.csv`, own: true, sha256: OWN, id: 'a file of your own', version: null },
  ]);
});

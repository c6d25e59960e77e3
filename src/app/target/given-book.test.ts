import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadReconcileInput } from '../../reconcile/input/load-reconcile-input.ts';
import { keepFlagBook, keepMapping, keepOwnBook } from './given-book.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'own-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('a book of the user stands in the run folder, and in place of those that were served', async () => {
  const served = join(dir, 'served.json');
  writeFileSync(served, '{"object":"pricebook"}');
  const file = join(dir, 'prices.csv');
  writeFileSync(file, 'model,input,output\naspen,1,2\n');
  expect(new TextDecoder().decode(keepOwnBook(dir, file))).toBe(readFileSync(file, 'utf8'));
  keepOwnBook(dir, file);
  const names = readdirSync(join(dir, 'books'));
  expect(names).toEqual([expect.stringMatching(/^own-[0-9a-f]{64}\.csv$/)]);
  const { books } = await loadReconcileInput(dir);
  expect(books).toHaveLength(1);
  expect(books[0]).toMatchObject({
    sha256: names[0]?.slice(4, 68),
    reading: { identified: false, coverage: { adapter: 'csv', models_mapped: 1 } },
  });
});

test('a book at an address is kept without a key of ours, which the address may know', async () => {
  const key = 'sk-test-0123456789abcdef';
  const server = createServer((_, response) => response.end(JSON.stringify({ note: `for ${key}` })));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  await keepFlagBook(dir, `http://127.0.0.1:${port}`, { WEIGHBRIDGE_API_KEY: key });
  server.close();
  const [name = ''] = readdirSync(join(dir, 'books'));
  expect(readFileSync(join(dir, 'books', name), 'utf8')).toBe('{"note":"for [credential]"}');
});

test('a mapping is checked before it is kept; a file that is not there is named', () => {
  const file = join(dir, 'map.yaml');
  writeFileSync(file, 'schema: weighbridge.mapping/1\n');
  expect(() => keepMapping(dir, file)).toThrow(
    expect.objectContaining({ code: 'mapping_invalid', exitCode: 2 }),
  );
  expect(() => keepOwnBook(dir, join(dir, 'none.csv'))).toThrow(
    expect.objectContaining({
      code: 'book_missing',
      message: expect.stringMatching(/ a price list at .*none\.csv: there is no such file\.$/),
    }),
  );
});

test('a book that cannot be read is refused with its file and why, and the one before it stays', async () => {
  const file = join(dir, 'prices.csv');
  writeFileSync(file, 'model,input,output\naspen,1,2\n');
  await keepFlagBook(dir, file, {});
  const before = readdirSync(join(dir, 'books'));
  writeFileSync(file, 'model,input,output\naspen,cheap,2\n');
  await expect(keepFlagBook(dir, file, {})).rejects.toMatchObject({
    code: 'book_unreadable',
    exitCode: 2,
    message: expect.stringMatching(
      /prices\.csv cannot be read: .*line 2, column 2 \(input\): .*found "cheap"\.$/,
    ),
  });
  expect(readdirSync(join(dir, 'books'))).toEqual(before);
  writeFileSync(file, 'model,input,output\naspen,3,4\n');
  await keepFlagBook(dir, file, {});
  const after = readdirSync(join(dir, 'books'));
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
});

import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256Of } from '../../pricebook/read/read-price-book.ts';
import { bookDocument, inputOf, recordOf, textRow } from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';
import { loadReconcileInput } from './load-reconcile-input.ts';

const SOURCE = inputOf({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a')] }] });
const PLAN = {
  schema: 'weighbridge.plan/1',
  run_id: 'run',
  target: { name: 't', key: 'exclusive' },
  cap: { max_spend_usd: null, bounds: [] },
};

const BOOK = JSON.stringify(bookDocument());
const BOOK_SHA256 = sha256Of(new TextEncoder().encode(BOOK));

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'run-'));
  for (const folder of ['calls', 'usage', 'books']) await mkdir(join(dir, folder));
  await writeFile(join(dir, 'calls/one-1.ndjson'), ndjson(SOURCE.ledger.rows));
  await writeFile(join(dir, 'usage/pages.ndjson'), ndjson(SOURCE.reads));
  await writeFile(join(dir, 'usage/records.ndjson'), ndjson(SOURCE.records));
  await writeFile(join(dir, `books/${BOOK_SHA256}.json`), BOOK);
});
afterEach(() => rm(dir, { recursive: true }));

function ndjson(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

test('a folder gives the same judgement as its parts in memory', async () => {
  await writeFile(join(dir, 'plan.json'), JSON.stringify(PLAN));
  const loaded = await loadReconcileInput(dir);
  expect(loaded.key).toBe('exclusive');
  const verdict = reconcile(loaded);
  expect(verdict).toEqual(reconcile(SOURCE));
  expect(verdict.money.difference).toBe('0');
});

test('without a plan a key counts as shared, unless it is said', async () => {
  expect((await loadReconcileInput(dir)).key).toBe('shared');
  expect((await loadReconcileInput(dir, { key: 'exclusive' })).key).toBe('exclusive');
});

test('a run that was stopped before any read is judged as not read', async () => {
  await rm(join(dir, 'usage'), { recursive: true });
  await rm(join(dir, 'books'), { recursive: true });
  const verdict = reconcile(await loadReconcileInput(dir));
  expect(verdict.inconclusive).toEqual([
    'no sweep of the usage records is complete',
    'no price book was read',
    'nothing could be checked',
  ]);
  expect(verdict.money.charged).toBeNull();
});

test('a record that was being written when the reader stopped is left aside, a damaged one is refused', async () => {
  const records = join(dir, 'usage/records.ndjson');
  await appendFile(records, '{"schema":"weighbridge.usage-re');
  expect((await loadReconcileInput(dir)).records).toHaveLength(1);
  await appendFile(records, '\n');
  await expect(loadReconcileInput(dir)).rejects.toMatchObject({ code: 'usage_corrupt', exitCode: 2 });
});

test('a damaged plan is refused', async () => {
  await writeFile(join(dir, 'plan.json'), '{"schema":"weighbridge.plan/1"');
  await expect(loadReconcileInput(dir)).rejects.toMatchObject({ code: 'plan_corrupt' });
});

test('a book that was edited under its name is refused, with its file', async () => {
  const file = join(dir, `books/${BOOK_SHA256}.json`);
  await writeFile(file, BOOK.replace('"8"', '"9"'));
  await expect(loadReconcileInput(dir)).rejects.toMatchObject({
    code: 'book_corrupt',
    exitCode: 2,
    message: expect.stringContaining(file),
  });
});

test('nothing of a book given by hand is said to be published by the target', async () => {
  const [served] = (await loadReconcileInput(dir)).books;
  expect(JSON.stringify(served?.reading)).toContain('published by the target');
  await writeFile(join(dir, `books/own-${BOOK_SHA256}.json`), BOOK);
  const [own, ...more] = (await loadReconcileInput(dir)).books;
  expect(more).toEqual([]);
  expect(JSON.stringify(own?.reading)).not.toContain('published by the target');
  expect(own?.reading).toMatchObject({ book: { source: { kind: 'agreed' } }, identified: false });
});

test('the books of a folder are read by its mapping file', async () => {
  const own = JSON.stringify({ offers: { 'model-of-ours': { in: 2, out: 8 } } });
  await rm(join(dir, `books/${BOOK_SHA256}.json`));
  await writeFile(join(dir, `books/${sha256Of(new TextEncoder().encode(own))}.json`), own);
  const mapping =
    'schema: weighbridge.mapping/1\neach: offers.*\nfields: { model: $key, input: { path: in }, output: { path: out } }\n';
  await writeFile(join(dir, 'books/mapping.yaml'), mapping);
  const [book] = (await loadReconcileInput(dir)).books;
  expect(book?.reading).toMatchObject({
    identified: false,
    coverage: { adapter: 'mapping', models_mapped: 1 },
  });
});

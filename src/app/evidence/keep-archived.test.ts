import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageStore } from '../../collect/usage-store.ts';
import { formatInstant } from '../../core/time.ts';
import { BookArchive } from '../../pricebook/archive/archive-index.ts';
import { UsageFiles } from '../../reconcile/input/load-reconcile-input.ts';
import { bookDocument, recordOf } from '../../reconcile/reconcile.test-support.ts';
import { keepArchived } from './keep-archived.ts';

const T0 = 1_800_000_000;
const WINDOW = { start: T0, end: T0 + 1_000 };
const [OURS, OTHER] = ['0123456789abcdef', 'fedcba9876543210'];

let scratch = '';
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'weighbridge-archived-'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

const at = (second: number): string => formatInstant((T0 + second) * 1000);

function archived(home: string, see: (archive: BookArchive) => void): void {
  const archive = new BookArchive(join(scratch, home, 'archive'));
  see(archive);
  archive.close();
}

function served(body: unknown) {
  const content = new TextEncoder().encode(JSON.stringify(body));
  return { content, sha256: createHash('sha256').update(content).digest('hex') };
}

function book(archive: BookArchive, version: string, second: number): void {
  archive.see({ what: 'book', at: at(second), ...served(bookDocument({ pricing_version: version })) });
}

function page(archive: BookArchive, second: number, data: readonly unknown[], key_fp: string | null): void {
  archive.see({
    what: 'records',
    part: '1h/1',
    key_fp,
    at: at(second),
    ...served({ object: 'list', data, has_more: false }),
  });
}

function takeUp(more: { readonly keys?: readonly string[]; readonly books?: boolean } = {}) {
  const home = join(scratch, 'target');
  return keepArchived(join(scratch, 'run'), { home, window: WINDOW, keys: [OURS], books: true, ...more });
}

async function lines() {
  const files = new UsageFiles(join(scratch, 'run'));
  return { reads: await files.reads.read(), records: await files.records.read() };
}

test('books of the period are taken up: from the one served at its start to the first after its end', async () => {
  archived('target', (archive) => {
    for (const [version, second] of [
      ['before', -500],
      ['at-start', -100],
      ['inside', 400],
      ['after', 1_500],
      ['later', 2_000],
    ] as const)
      book(archive, version, second);
  });
  expect(takeUp()).toEqual({ books: 3, records: 0 });
  const { reads } = await lines();
  expect(reads.map(({ read, read_at }) => [read, read_at])).toEqual(
    [-100, 400, 1_500].map((second) => ['archived_book', at(second)]),
  );
  const kept = readdirSync(join(scratch, 'run/books'));
  expect(kept.sort()).toEqual(reads.map(({ sha256 }) => `${sha256}.json`).sort());
  expect(takeUp()).toEqual({ books: 0, records: 0 });
  expect((await lines()).reads).toHaveLength(3);
});

test('with a book of one’s own no other one is taken up', () => {
  archived('target', (archive) => book(archive, 'v1', 0));
  expect(takeUp({ books: false })).toEqual({ books: 0, records: 0 });
});

const first = recordOf('a', { created_at: T0 + 10 });
const changed = { ...first, amount: '0.5' };
const outside = recordOf('b', { created_at: T0 + 1_000 });

test('records of the period are taken up as they stood, each content once, once', async () => {
  archived('target', (archive) => {
    page(archive, 20, [first], OURS);
    page(archive, 30, [first, outside], OURS);
    page(archive, 40, [changed], OURS);
  });
  expect(takeUp()).toEqual({ books: 0, records: 2 });
  const { records } = await lines();
  expect(records.map(({ read_at, key_fp, record }) => [read_at, key_fp, record])).toEqual([
    [at(20), OURS, first],
    [at(40), OURS, changed],
  ]);
  expect(takeUp()).toEqual({ books: 0, records: 0 });
  expect((await lines()).records).toHaveLength(2);
});

test('records that another key read, or nobody knows which, are another bill', async () => {
  archived('target', (archive) => {
    page(archive, 20, [first], OTHER);
    page(archive, 30, [changed], null);
  });
  // A second key of the same address has its archive beside the first.
  archived('target+second', (archive) => page(archive, 40, [changed], OURS));
  expect(takeUp()).toEqual({ books: 0, records: 1 });
  expect((await lines()).records.map(({ read_at }) => read_at)).toEqual([at(40)]);
});

test('what was read after a sweep of the folder counts as later than it', async () => {
  const run = join(scratch, 'run');
  for (const [sweep, second] of [
    [1, 100],
    [2, 300],
  ] as const) {
    const store = new UsageStore(run, sweep, () => T0 + second);
    store.read({ read: 'sweep_end', window: WINDOW, complete: true });
    store.close();
  }
  archived('target', (archive) => {
    page(archive, 50, [first], OURS);
    page(archive, 200, [changed], OURS);
    page(archive, 400, [first], OURS);
  });
  takeUp();
  const { records } = await lines();
  expect(records.map(({ sweep, by_request_id }) => [sweep, by_request_id])).toEqual([
    [0, true],
    [1, true],
    [2, true],
  ]);
  expect(readFileSync(join(run, 'usage/records.ndjson'), 'utf8').split('\n')).toHaveLength(4);
});

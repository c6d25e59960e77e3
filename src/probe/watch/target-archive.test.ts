import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archivedFile, readArchive } from '../../pricebook/archive/archive-index.ts';
import { pruneArchive } from '../../pricebook/archive/prune-archive.ts';
import { reordered } from '../../pricebook/reordered.test-support.ts';
import { ArchivedDocuments } from './archived-documents.ts';
import { type Kept, TargetArchive } from './target-archive.ts';
import { answered, freshMetrics, samples, stateFolder } from './watch-bench.test-support.ts';

const DAY = Date.UTC(2027, 0, 15);
const DAYS = 10;

function archiveIn(dir: string) {
  const metrics = freshMetrics();
  const failures: string[] = [];
  const archive = new TargetArchive(
    dir,
    'main',
    metrics,
    (_error, document) => void failures.push(document),
    async (now_ms) => void pruneArchive(dir, DAYS, now_ms),
  );
  return { archive, metrics, failures };
}

function lines(dir: string): number {
  const file = join(dir, 'index.ndjson');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

test('a document is stored as served when it changes, and once a UTC day', async () => {
  const dir = stateFolder();
  const { archive, metrics } = archiveIn(dir);
  const list = (id: string, at_ms: number) =>
    archive.keep({ document: 'models', part: 'key', answer: answered({ data: [{ id }] }), at_ms });
  expect([list('a', DAY), list('a', DAY + 1000), list('b', DAY + 2000), list('b', DAY + 3000)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  const stamp = (day: number) => `_timestamp_seconds{document="models"} ${day}`;
  expect(await samples(metrics, 'weighbridge_archive_last_write')).toEqual([stamp(DAY / 1000 + 2)]);
  expect(list('b', DAY + 86_400_000)).toBe(true);
  expect(await samples(metrics, 'weighbridge_archive_last_write')).toEqual([stamp(DAY / 1000 + 86_400)]);
  const stretches = readArchive(dir);
  expect(
    stretches.map(({ what, part, first_seen, last_seen }) => [what, part, first_seen, last_seen]),
  ).toEqual([
    ['models', 'key', '2027-01-15T00:00:00.000Z', '2027-01-15T00:00:01.000Z'],
    ['models', 'key', '2027-01-15T00:00:02.000Z', '2027-01-16T00:00:00.000Z'],
  ]);
  for (const stretch of stretches) expect(existsSync(archivedFile(dir, stretch))).toBe(true);
});

test('once a UTC day what was served last too long ago goes', () => {
  const dir = stateFolder();
  const { archive, failures } = archiveIn(dir);
  const list = (id: string, day: number) =>
    archive.keep({ document: 'models', answer: answered({ data: [{ id }] }), at_ms: DAY + day * 86_400_000 });
  for (const [id, day] of [
    ['a', 0],
    ['b', 1],
    ['c', 12],
  ] as const)
    list(id, day);
  const held = readArchive(dir).map((stretch) => existsSync(archivedFile(dir, stretch)));
  expect({ held, failures }).toEqual({ held: [false, true, true], failures: [] });
});

test('the two lists of models, and each window, have a history of their own', () => {
  const dir = stateFolder();
  const { archive } = archiveIn(dir);
  const keep = (part: string, id: string) =>
    archive.keep({
      document: 'models',
      part,
      answer: answered({ object: 'list', data: [{ id }] }),
      at_ms: DAY,
    });
  keep('key', 'a');
  keep('none', 'b');
  keep('key', 'a');
  archive.close();
  expect(lines(dir)).toBe(2);
  expect(new ArchivedDocuments(dir).models()).toEqual(
    new Map([
      ['none', ['b']],
      ['key', ['a']],
    ]),
  );
});

test('totals that differ in their window alone, and pages with nothing new, are stored once a day', () => {
  const dir = stateFolder();
  const { archive } = archiveIn(dir);
  const totals = (end_time: number, content: string): Kept => ({
    document: 'totals',
    part: '1h',
    answer: answered({ end_time }),
    at_ms: DAY + end_time,
    content,
  });
  expect(
    [totals(1, 'x'), totals(2, 'x'), totals(3, 'y'), totals(86_400_000, 'y')].map((each) =>
      archive.keep(each),
    ),
  ).toEqual([true, false, true, true]);
  const page = (at: number, news: boolean): Kept => ({
    document: 'records',
    part: '1h/1',
    answer: answered({ at }),
    at_ms: DAY + at,
    news,
  });
  expect(
    [page(1, false), page(2, false), page(3, true), page(4, false), page(86_400_000, false)].map((each) =>
      archive.keep(each),
    ),
  ).toEqual([true, false, true, false, true]);
});

test('what cannot be stored is counted, told, and tried again', async () => {
  const dir = join(stateFolder(), 'archive');
  const { archive, metrics, failures } = archiveIn(dir);
  writeFileSync(dir, 'a file where the folder should be');
  const answer = answered({ quota: 1 });
  const keep = () => archive.keep({ document: 'account', answer, at_ms: DAY });
  expect([keep(), keep()]).toEqual([false, false]);
  expect(failures).toEqual(['account', 'account']);
  const failed = await samples(metrics, 'weighbridge_archive_write_failures_total');
  expect(failed).toContain('{document="account"} 2');
  expect(failed).toContain('{document="models"} 0');
  expect(await samples(metrics, 'weighbridge_archive_last_write')).toEqual([]);
  const { rmSync } = await import('node:fs');
  rmSync(dir);
  mkdirSync(dir);
  expect(keep()).toBe(true);
});

test('the last book that can be read is found behind one that cannot, with when it changed', () => {
  const dir = stateFolder();
  const { archive } = archiveIn(dir);
  const models = [{ id: 'm', kind: 'text', unit: 'per_1m_tokens', input: '1', output: '2' }];
  const book = { object: 'pricebook', pricebook_id: 'pb', pricing_version: 'v1', currency: 'USD', models };
  archive.keep({ document: 'pricebook', answer: answered(book), at_ms: DAY });
  archive.keep({ document: 'pricebook', answer: answered('<html>'), at_ms: DAY + 5000 });
  archive.close();
  const earlier = new ArchivedDocuments(dir).book({});
  expect(earlier).toMatchObject({
    content: answered('<html>').sha256,
    book: { pricing_version: 'v1' },
    changed_ms: DAY + 5000,
  });
});

test('a book in another order is kept as served, and has not changed since', () => {
  const dir = stateFolder();
  const { archive } = archiveIn(dir);
  const model = { kind: 'text', unit: 'per_1m_tokens', input: '1', output: '2' };
  const models = [
    { ...model, id: 'm' },
    { ...model, id: 'n' },
  ];
  const book = { object: 'pricebook', pricebook_id: 'pb', pricing_version: 'v1', currency: 'USD', models };
  const served = [{ ...book, models: models.slice(1) }, book, reordered(book), book, reordered(book)];
  for (const [second, each] of served.entries())
    archive.keep({ document: 'pricebook', answer: answered(each), at_ms: DAY + second * 1000 });
  archive.close();
  expect(readArchive(dir)).toHaveLength(5);
  expect(new ArchivedDocuments(dir).book({}).changed_ms).toBe(DAY + 1000);
});

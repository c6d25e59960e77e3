import { expect, test } from 'vitest';
import type { ReadLine } from '../../contracts/usage-lines.ts';
import { formatInstant } from '../../core/time.ts';
import { reordered } from '../../pricebook/reordered.test-support.ts';
import { archivedBook, bookDocument, inputOf } from '../reconcile.test-support.ts';
import { type BookShelf, bookShelf } from './book-shelf.ts';

const T0 = 1_800_000_000;

function bookRead(second: number, sha256: string): ReadLine {
  const [line] = inputOf({ sweeps: [{ records: [] }] }).reads;
  if (line === undefined) throw new Error('a sweep has reads');
  return { ...line, read: 'book', sha256, read_at: formatInstant((T0 + second) * 1000) };
}

/** Books `a`, `b`, … by the seconds at which they were read. */
function shelf(reads: readonly (readonly [number, string])[], changes: Record<string, object>): BookShelf {
  return bookShelf(
    Object.entries(changes).map(([name, change]) => archivedBook(bookDocument({ ...change }), name)),
    reads.map(([second, name]) => bookRead(second, name)),
  );
}

function versionAt(on: BookShelf, second: number): string | null {
  const held = on.inForce(T0 + second);
  return held === null ? null : `${held.book.pricing_version}${held.proved ? '' : '?'}`;
}

test('between two reads of the same book it was in force; proved where they lie close', () => {
  const on = shelf(
    [
      [0, 'a'],
      [2, 'a'],
      [10, 'a'],
    ],
    { a: { pricing_version: 'v1' } },
  );
  expect([versionAt(on, 0), versionAt(on, 5), versionAt(on, 20)]).toEqual(['v1', 'v1?', 'v1?']);
  expect(versionAt(on, -5)).toBeNull();
});

test('at a change the new book tells when it began; a book without a date leaves it open', () => {
  const reads = [
    [0, 'a'],
    [10, 'b'],
  ] as const;
  const dated = shelf(reads, {
    a: { pricing_version: 'v1' },
    b: { pricing_version: 'v2', effective_at: T0 + 6 },
  });
  expect([4, 6, 7, 12].map((second) => versionAt(dated, second))).toEqual(['v1?', null, 'v2?', 'v2?']);
  const silent = shelf(reads, { a: { pricing_version: 'v1' }, b: { pricing_version: 'v2' } });
  expect([4, 7, 12].map((second) => versionAt(silent, second))).toEqual([null, null, 'v2?']);
});

test('before its first read a book that dates itself was in force', () => {
  const on = shelf([[10, 'a']], { a: { pricing_version: 'v1', effective_at: T0 - 100 } });
  expect([versionAt(on, 0), versionAt(on, -200)]).toEqual(['v1?', null]);
});

test('of two contents under one version the one that was served then prices a record', () => {
  const on = shelf(
    [
      [0, 'a'],
      [2, 'a'],
      [10, 'b'],
      [12, 'b'],
    ],
    { a: {}, b: { adjustments: [{ name: 'up', factor: '2' }] } },
  );
  expect(on.find('pb', 'v1', T0 + 1)?.adjustments).toEqual([]);
  expect(on.find('pb', 'v1', T0 + 10)?.adjustments).toHaveLength(1);
  // At the change itself it is left open; where no time is known, it is the one read last.
  expect(on.find('pb', 'v1', T0 + 5)).toBeNull();
  expect(on.find('pb', 'v1')?.adjustments).toHaveLength(1);
  expect(on.reused_versions).toEqual([{ pricebook_id: 'pb', pricing_version: 'v1' }]);
});

test('reads every two seconds prove that no other version was served', () => {
  const on = shelf(
    [
      [0, 'a'],
      [2, 'a'],
      [4, 'a'],
      [7.5, 'a'],
      [9, 'a'],
    ],
    { a: {} },
  );
  expect([-1, 0, 3, 5, 7].map((second) => on.provesVersions(T0 + second))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

test('a book that comes in another order at each read is one book, without a version of its own too', () => {
  const list = { ...LIST, 'model-u': { ...LIST['model-t'], input_cost_per_token: 4e-6 } };
  for (const document of [
    bookDocument({
      adjustments: [
        { name: 'up', factor: '2' },
        { name: 'down', factor: '0.5' },
      ],
    }),
    list,
  ]) {
    const books = [archivedBook(document, 'a'), archivedBook(reordered(document), 'b')];
    const on = bookShelf(
      books,
      [0, 2, 4, 6, 8].map((second, index) => bookRead(second, index % 2 === 0 ? 'a' : 'b')),
    );
    const [only, ...more] = on.books;
    expect([more, on.reused_versions]).toEqual([[], []]);
    expect(on.latest).toBe(only);
    for (const second of [0, 1, 3, 5, 7]) {
      expect(on.find('pb', 'v1', T0 + second)).toBe(only);
      expect(on.inForce(T0 + second)).toEqual({ book: only, proved: true });
      expect(on.provesVersions(T0 + second)).toBe(true);
    }
  }
});

test('another order hides no real difference, and no key that nobody reads', () => {
  const of = (change: object) => {
    const books = [archivedBook(), archivedBook(reordered(bookDocument({ ...change })), 'b')];
    return bookShelf(books, [bookRead(0, 'a'.repeat(64)), bookRead(2, 'b')]);
  };
  expect(of({}).books).toHaveLength(1);
  const surge = of({ surge: '1.5' });
  expect([surge.books.length, surge.reused_versions]).toEqual([2, []]);
  const models = Object(bookDocument()).models.toSpliced(0, 1);
  for (const change of [
    { models },
    { rounding: { scope: 'record', quantum: '0.0001', mode: 'half_up' } },
    { adjustments: [{ name: 'up', factor: '2' }] },
  ])
    expect(of(change).reused_versions).toEqual([{ pricebook_id: 'pb', pricing_version: 'v1' }]);
});

const LIST = {
  'model-t': { litellm_provider: 'x', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
};

test('a book whose source names no version is that of every record', () => {
  const on = bookShelf([archivedBook(LIST)], []);
  expect(on.find('pb', 'v9')?.models.map(({ model }) => model)).toEqual(['model-t']);
});

test('of several books without a version the one that was served then prices a record', () => {
  const dearer = { 'model-t': { ...LIST['model-t'], output_cost_per_token: 3e-6 } };
  const [a, b] = [archivedBook(LIST, 'a'), archivedBook(dearer, 'b')];
  const reads = [bookRead(0, 'a'), bookRead(100, 'a'), bookRead(200, 'b')];
  const on = bookShelf([b, a], reads);
  const [first, last] = [bookShelf([a], []).latest?.models, bookShelf([b], []).latest?.models];
  const at = (second: number) => on.find('', '', T0 + second)?.models ?? null;
  expect([at(-50), at(50), at(150), at(250)]).toEqual([first, first, null, last]);
});

test('reads of the archive tell what was served, and break no row of close reads', () => {
  const close = [bookRead(100, 'a'), bookRead(102, 'a'), bookRead(104, 'a')];
  const archived: ReadLine = { ...bookRead(0, 'b'), read: 'archived_book' };
  const on = bookShelf(
    [archivedBook(bookDocument({ pricing_version: 'v2' }), 'a'), archivedBook(bookDocument({}), 'b')],
    [...close, archived],
  );
  expect(on.inForce(T0 - 1)).toBeNull();
  expect(on.inForce(T0 + 103)?.proved).toBe(true);
  expect(on.provesVersions(T0 + 103)).toBe(true);
  expect(on.latest?.pricing_version).toBe('v2');
});

test('a version with a contract behind it is that version; one of other words is none', () => {
  const on = shelf([[0, 'a']], { a: { pricing_version: 'v1' } });
  const found = (version: string) => on.find(on.latest?.pricebook_id ?? '', version)?.pricing_version ?? null;
  expect([found('v1'), found('v1/contract-7'), found('v2/contract-7'), found('v')]).toEqual([
    'v1',
    'v1',
    null,
    null,
  ]);
});

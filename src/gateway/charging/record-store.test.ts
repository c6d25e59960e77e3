import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { chargeRecord } from '../events/charge-record.test-support.ts';
import type { ChargeRecord } from '../events/charge-record.ts';
import { RecordTable } from './record-columns.ts';
import { recordId } from './record-id.ts';
import { type RecordSelection, RecordStore } from './record-store.ts';
import { RecordSums } from './record-sums.ts';
import { recordsBetween } from './records-between.test-support.ts';

const DAY = 86_400;
const NONE = { model: null, requestId: null };

function ids(records: Iterable<ChargeRecord>): string[] {
  return [...records].map(({ id }) => id);
}

test('keeps records of a key in order of time and id, whatever the order they come in', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(fc.nat(20), fc.nat(99)), { selector: ([, id]) => id }), (wanted) => {
      const store = new RecordStore();
      for (const [createdAt, id] of wanted)
        store.add(chargeRecord({ id: String(id).padStart(2, '0'), createdAt }));
      const kept = recordsBetween(store, 'key', 0, 100).map(
        ({ createdAt, id }) => `${String(createdAt).padStart(2, '0')} ${id}`,
      );
      expect(kept).toHaveLength(wanted.length);
      expect(kept).toEqual([...kept].sort());
    }),
  );
});

test('start is inside a window and end is not; other keys are not seen', () => {
  const store = new RecordStore();
  for (const createdAt of [9, 10, 19, 20]) store.add(chargeRecord({ id: `r${createdAt}`, createdAt }));
  store.add(chargeRecord({ id: 'other', createdAt: 15, keyFingerprint: 'other' }));
  expect(ids(recordsBetween(store, 'key', 10, 20))).toEqual(['r10', 'r19']);
  expect(recordsBetween(store, 'nobody', 0, 100)).toEqual([]);
});

test('a record comes back as it was put in, whatever its id', () => {
  const store = new RecordStore();
  const made = [recordId(7), 'rec_x', ''].map((id, index) =>
    chargeRecord({
      id,
      requestId: `q${index}`,
      result: 'cancelled',
      status: 'refunded',
      amount: -1n,
      reserved: 2n ** 62n,
      refunded: 3n,
      usage: { input: 5_000_000_000, output: 2, cacheRead: 3, cacheWrite: 4 },
      estimated: true,
      receipts: ['rcpt_a', 'rcpt_b'],
    }),
  );
  for (const record of made) store.add(record);
  expect([...store.all()]).toEqual(made);
  expect(made.map(({ id }) => store.find(id))).toEqual(made);
  expect(store.find('rec_y')).toBeNull();
});

describe('replace', () => {
  test('puts the new state in place and refuses an unknown record', () => {
    const store = new RecordStore();
    store.add(chargeRecord({ id: 'a', status: 'pending' }));
    store.replace(chargeRecord({ id: 'a', status: 'settled' }));
    expect(recordsBetween(store, 'key', 0, 2000)).toMatchObject([{ id: 'a', status: 'settled' }]);
    expect(() => store.replace(chargeRecord({ id: 'b' }))).toThrow('no record b');
  });

  test('moves a record whose time, key, model or request is another now', () => {
    const store = new RecordStore();
    for (const id of ['a', 'b', 'c']) store.add(chargeRecord({ id, requestId: `q-${id}` }));
    store.replace(chargeRecord({ id: 'b', createdAt: 500, model: 'n', requestId: 'q-new' }));
    expect(ids(recordsBetween(store, 'key', 0, 2000))).toEqual(['b', 'a', 'c']);
    const found = (over: Partial<RecordSelection>) =>
      ids(store.newestFirst('key', { start: 0, end: 2000, ...NONE, ...over }, null));
    expect(found({ model: 'm' })).toEqual(['c', 'a']);
    expect(found({ model: 'n' })).toEqual(['b']);
    expect(found({ requestId: 'q-new' })).toEqual(['b']);
    expect(found({ requestId: 'q-b' })).toEqual([]);
    store.replace(chargeRecord({ id: 'b', keyFingerprint: 'other' }));
    expect(ids(recordsBetween(store, 'key', 0, 2000))).toEqual(['a', 'c']);
    expect(ids(recordsBetween(store, 'other', 0, 2000))).toEqual(['b']);
  });
});

const MODELS = ['m', 'n', 'o/p:q'];
const RECEIPTS = ['rcpt_1', 'rcpt_2'];

/** Few times around two midnights, so that many records share one. */
const times = fc
  .tuple(fc.integer({ min: 19, max: 21 }), fc.integer({ min: -2, max: 2 }))
  .map(([day, second]) => day * DAY + second);

const content = fc.record({
  createdAt: times,
  keyFingerprint: fc.constantFrom('key', 'other'),
  model: fc.constantFrom(...MODELS),
  requestId: fc.constantFrom('q1', 'q2', 'q3'),
  status: fc.constantFrom('pending', 'settled', 'refunded', 'unknown'),
  amount: fc.bigInt(0n, 10n ** 12n),
  reserved: fc.bigInt(0n, 10n ** 12n),
  refunded: fc.bigInt(0n, 10n ** 12n),
  receipts: fc.subarray(RECEIPTS),
});

const selections = fc.record({
  start: times,
  end: times,
  model: fc.option(fc.constantFrom(...MODELS, 'none')),
  requestId: fc.option(fc.constantFrom('q1', 'q2', 'q9', ...RECEIPTS)),
});

/** The rule of a read, applied to everything. */
function isSelected(record: ChargeRecord, { start, end, model, requestId }: RecordSelection): boolean {
  return (
    record.keyFingerprint === 'key' &&
    record.createdAt >= start &&
    record.createdAt < end &&
    (model === null || record.model === model) &&
    (requestId === null || record.requestId === requestId || record.receipts.includes(requestId))
  );
}

function sumsOf(records: readonly ChargeRecord[]): Map<string, RecordSums> {
  const groups = new Map<string, RecordSums>();
  for (const record of records)
    addTo(groups, nameOf(record.model, Math.floor(record.createdAt / DAY)), record);
  return groups;
}

function addTo(groups: Map<string, RecordSums>, name: string, figures: ChargeRecord | RecordSums): void {
  const sums = groups.get(name) ?? new RecordSums();
  if (figures instanceof RecordSums) sums.addSums(figures);
  else sums.add(figures);
  groups.set(name, sums);
}

function nameOf(model: string, day: number): string {
  return `${model} ${day}`;
}

/** What the store gives for a selection, as the rule gives it on all records. */
function expectAlike(store: RecordStore, all: readonly ChargeRecord[], selection: RecordSelection): void {
  const selected = all
    .filter((record) => isSelected(record, selection))
    .sort((left, right) => right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1));
  expect(ids(store.newestFirst('key', selection, null))).toEqual(ids(selected));
  const summed = new Map<string, RecordSums>();
  for (const { model, day, sums } of store.sums('key', selection)) addTo(summed, nameOf(model, day), sums);
  expect(summed).toEqual(sumsOf(selected));
}

test('the end of a charge moves the sums of its day', () => {
  const store = new RecordStore();
  const open = [1, 2, 3].map((n) =>
    chargeRecord({
      id: recordId(n),
      createdAt: 100 + n,
      keyFingerprint: 'key',
      status: 'pending',
      amount: 0n,
      reserved: 9n,
      refunded: 0n,
    }),
  );
  for (const record of open) store.add(record);
  const [first, second] = open;
  if (first === undefined || second === undefined) throw new Error('three records were made');
  const settled = { ...first, status: 'settled', amount: 7n, refunded: 2n } as const;
  const refunded = { ...second, status: 'refunded', refunded: 9n } as const;
  store.replace(settled);
  store.replace(refunded);
  const selection = { start: 1, end: DAY, model: null, requestId: null };
  expectAlike(store, [settled, refunded, ...open.slice(2)], selection);
});

test('property: pages and sums of any selection are those of a walk over all records', () => {
  const change = fc.tuple(fc.nat(30), content);
  fc.assert(
    fc.property(
      fc.array(content, { maxLength: 30 }),
      fc.array(change, { maxLength: 30 }),
      fc.array(selections, { minLength: 5, maxLength: 5 }),
      (added, changes, asked) => {
        const store = new RecordStore();
        const all = added.map((over, index) => chargeRecord({ id: recordId(index + 1), ...over }));
        for (const record of all) store.add(record);
        for (const [at, over] of changes) {
          const changed = all[at];
          if (changed === undefined) continue;
          // Half of the changes leave the record where it stands, as settlements do.
          const { status, amount, reserved, refunded } = over;
          const record = { ...changed, ...(at % 2 === 0 ? { status, amount, reserved, refunded } : over) };
          all[at] = record;
          store.replace(record);
        }
        for (const selection of asked) expectAlike(store, all, selection);
      },
    ),
  );
});

test('some thousand records of few seconds: every chunk and its edges', () => {
  const store = new RecordStore();
  const all: ChargeRecord[] = [];
  for (let number = 1; number <= 3000; number += 1) {
    // Every ninth comes late, so that full chunks are split.
    const createdAt = 20 * DAY - 10 + Math.floor(number / 150) - (number % 9 === 0 ? 4 : 0);
    const record = chargeRecord({
      id: recordId(number),
      createdAt,
      model: MODELS[number % 2] ?? 'm',
      receipts: [RECEIPTS[number % 2] ?? ''],
      amount: BigInt(number),
    });
    all.push(record);
    store.add(record);
  }
  for (let start = 20 * DAY - 15; start < 20 * DAY + 12; start += 3) {
    for (let end = start + 1; end < 20 * DAY + 14; end += 4) {
      expectAlike(store, all, { start, end, ...NONE });
      expectAlike(store, all, { start, end, model: 'n', requestId: 'rcpt_2' });
    }
  }
});

test('a walk goes on behind the place that it is given', () => {
  const store = new RecordStore();
  for (const id of ['a', 'b', 'c', 'd']) store.add(chargeRecord({ id, requestId: 'q', createdAt: 10 }));
  const selection = { start: 1, end: 100, ...NONE };
  for (const asked of [selection, { ...selection, requestId: 'q' }, { ...selection, model: 'm' }]) {
    expect(ids(store.newestFirst('key', asked, { createdAt: 10, id: 'c' }))).toEqual(['b', 'a']);
    expect(ids(store.newestFirst('key', asked, { createdAt: 500, id: 'c' }))).toEqual(['d', 'c', 'b', 'a']);
  }
});

describe('how many records a read looks at', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Looks at rows while 100 records are read from the middle of so many, and while a window with odd edges is summed. */
  function looks(records: number): { page: number; totals: number } {
    const store = new RecordStore();
    for (let number = 1; number <= records; number += 1) {
      const createdAt = 20 * DAY + Math.floor((number / records) * 5 * DAY);
      store.add(chargeRecord({ id: recordId(number), createdAt, model: MODELS[number % 3] ?? 'm' }));
    }
    const whole = vi.spyOn(RecordTable.prototype, 'get');
    const figures = vi.spyOn(RecordTable.prototype, 'figuresOf');
    const times = vi.spyOn(RecordTable.prototype, 'createdAtOf');
    const count = (): number => [whole, figures, times].reduce((sum, { mock }) => sum + mock.calls.length, 0);
    const selection = { start: 20 * DAY + 12_345, end: 24 * DAY + 54_321, ...NONE };
    let left = 100;
    for (const _ of store.newestFirst('key', selection, { createdAt: 22 * DAY, id: '' })) {
      left -= 1;
      if (left === 0) break;
    }
    expect(left).toBe(0);
    const page = count();
    expect([...store.sums('key', selection)].length).toBe(5 * MODELS.length);
    return { page, totals: count() - page };
  }

  test('grows with neither', () => {
    const few = looks(1000);
    vi.restoreAllMocks();
    const many = looks(100_000);
    expect(many.page).toBeLessThan(few.page * 1.2);
    // Two edge chunks of 256 for each of three models, and the chunks of two edge days by their ends.
    expect(many.totals).toBeLessThan(12_000);
  });
});

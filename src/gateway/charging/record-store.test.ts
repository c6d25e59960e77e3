import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargeRecord } from './charge-record.test-support.ts';
import { RecordStore } from './record-store.ts';

test('keeps records of a key in order of time and id, whatever the order they come in', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(fc.nat(20), fc.nat(99)), { selector: ([, id]) => id }), (wanted) => {
      const store = new RecordStore();
      for (const [createdAt, id] of wanted)
        store.add(chargeRecord({ id: String(id).padStart(2, '0'), createdAt }));
      const kept = store
        .between('key', 0, 100)
        .map(({ createdAt, id }) => `${String(createdAt).padStart(2, '0')} ${id}`);
      expect(kept).toHaveLength(wanted.length);
      expect(kept).toEqual([...kept].sort());
    }),
  );
});

test('start is inside a window and end is not; other keys are not seen', () => {
  const store = new RecordStore();
  for (const createdAt of [9, 10, 19, 20]) store.add(chargeRecord({ id: `r${createdAt}`, createdAt }));
  store.add(chargeRecord({ id: 'other', createdAt: 15, keyFingerprint: 'other' }));
  expect(store.between('key', 10, 20).map(({ id }) => id)).toEqual(['r10', 'r19']);
  expect(store.between('nobody', 0, 100)).toEqual([]);
});

test('replace puts the new state in place and refuses an unknown record', () => {
  const store = new RecordStore();
  store.add(chargeRecord({ id: 'a', status: 'pending' }));
  store.replace(chargeRecord({ id: 'a', status: 'settled' }));
  expect(store.between('key', 0, 2000)).toMatchObject([{ id: 'a', status: 'settled' }]);
  expect(() => store.replace(chargeRecord({ id: 'b' }))).toThrow('no record b');
});

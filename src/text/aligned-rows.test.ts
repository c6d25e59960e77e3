import { expect, test } from 'vitest';
import { alignedRows } from './aligned-rows.ts';

test('columns are as wide as their widest cell, the first one at its left unless others are', () => {
  const rows = [
    ['kind', 'calls', 'starts'],
    ['chat', '12', 'evenly'],
    ['image_edit', '1', ''],
  ];
  expect(alignedRows(rows)).toEqual([
    'kind        calls  starts',
    'chat           12  evenly',
    'image_edit      1',
  ]);
  expect(alignedRows(rows, (column) => column !== 1)[1]).toBe('chat           12  evenly');
  expect(
    alignedRows(
      [
        ['a', 'b'],
        ['cc', 'dd'],
      ],
      () => false,
    ),
  ).toEqual([' a   b', 'cc  dd']);
  expect(alignedRows([])).toEqual([]);
});

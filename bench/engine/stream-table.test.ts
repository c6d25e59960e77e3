import { describe, expect, test } from 'vitest';
import { alignRows } from '../common/print-table.ts';
import { spreadText } from './stream-table.ts';

describe('spreadText', () => {
  test('min, median and max', () => expect(spreadText([2, 1, 4], 1)).toBe('1.0 / 2.0 / 4.0'));
  test('repetitions that print alike are one number', () => expect(spreadText([1.01, 1.02], 1)).toBe('1.0'));
  test('no figure', () => expect(spreadText([null, null], 1)).toBe('–'));
});

test('columns are aligned: the first to the left, the others to the right', () =>
  expect(
    alignRows([
      ['client', 'MB'],
      ['a', '1000'],
    ]),
  ).toEqual(['client    MB', 'a       1000']));

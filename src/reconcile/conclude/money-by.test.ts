import { expect, test } from 'vitest';
import { formatInstant } from '../../core/time.ts';
import {
  IMAGE_MODEL,
  IMAGE_RECORD,
  imageRow,
  judge,
  recordOf,
  START_MS,
  START_S,
  TEXT_MODEL,
  textRow,
} from '../reconcile.test-support.ts';

test('the money stands by model and by day of the record, and adds up to the whole', () => {
  // Sent in the last second of a day and recorded in the first of the next.
  const midnight = START_S + 12 * 3600;
  const result = judge({
    rows: [textRow('a'), textRow('b'), imageRow('c', { started_at: formatInstant(midnight * 1000 - 500) })],
    sweeps: [
      {
        records: [
          recordOf('a'),
          recordOf('b', { amount: '0.003', refunded_amount: '0.007' }),
          recordOf('c', { ...IMAGE_RECORD, created_at: midnight }),
        ],
        at_ms: START_MS + 2 * 86_400_000,
      },
    ],
  });
  expect(result.money.by_model).toEqual([
    { model: IMAGE_MODEL, calls: 1, charged: '0.02', expected: '0.02', difference: '0', open: '0' },
    { model: TEXT_MODEL, calls: 2, charged: '0.0058', expected: '0.0056', difference: '0.0002', open: '0' },
  ]);
  expect(result.money.by_day).toEqual([
    { day: '2026-11-20', calls: 2, charged: '0.0058', expected: '0.0056', difference: '0.0002', open: '0' },
    { day: '2026-11-21', calls: 1, charged: '0.02', expected: '0.02', difference: '0', open: '0' },
  ]);
  expect(result.money.difference).toBe('0.0002');
});

import { expect, test } from 'vitest';
import { formatInstant } from '../../core/time.ts';
import { judge, recordOf, START_MS, textRow } from '../reconcile.test-support.ts';

test('open charges stand in the bucket of their age at the last read, with what they can come to', () => {
  const row = (name: string, after_ms: number) =>
    textRow(name, { started_at: formatInstant(START_MS + after_ms), end_ms: 0 });
  const rows = [row('a', 590_000), row('b', 480_000), row('c', 0), row('d', 0)];
  const result = judge({ rows, sweeps: [{ records: [recordOf('d')], at_ms: START_MS + 600_000 }] });
  expect(result.money.aging).toEqual([
    { bucket: '0-2 min', calls: 1, lo: '0.0028', hi: '0.0028' },
    { bucket: '2-15 min', calls: 2, lo: '0.0056', hi: '0.0056' },
    { bucket: '15-60 min', calls: 0, lo: '0', hi: '0' },
    { bucket: '1-24 h', calls: 0, lo: '0', hi: '0' },
    { bucket: 'over 24 h', calls: 0, lo: '0', hi: '0' },
  ]);
});

import { expect, test } from 'vitest';
import { LatenessLog } from './lateness-log.ts';

test('quantiles are at most 2 % above the exact ones, and the maximum is exact', () => {
  const log = new LatenessLog();
  const values = Array.from({ length: 1000 }, (_, index) => 0.01 * 1.012 ** index);
  for (const value of values) log.record(value);
  const { events, p50_ms, p99_ms, max_ms } = log.report();
  expect(events).toBe(1000);
  expect(max_ms).toBe(values[999]);
  for (const [found, exact] of [
    [p50_ms, values[499] ?? 0],
    [p99_ms, values[989] ?? 0],
  ] as const) {
    expect(found).toBeGreaterThanOrEqual(exact ?? 0);
    expect(found).toBeLessThanOrEqual((exact ?? 0) * 1.021 + 0.001);
  }
});

test('an early event is not late, and nothing recorded is null', () => {
  const log = new LatenessLog();
  expect(log.report()).toEqual({ events: 0, p50_ms: null, p99_ms: null, max_ms: null });
  log.record(-3);
  expect(log.report()).toEqual({ events: 1, p50_ms: 0, p99_ms: 0, max_ms: 0 });
  log.record(10 ** 9);
  expect(log.report().max_ms).toBe(10 ** 9);
  log.reset();
  expect(log.report().events).toBe(0);
});

import { expect, test } from 'vitest';
import { runOf } from '../view/daemon-view.test-support.ts';
import { firstTokenWithin, runsOf, SLOT_MS, slotsOf } from '../view/day-view.ts';
import { DayHistory } from './day-history.ts';

const DAY_MS = 86_400_000;
const START = Math.floor(Date.parse('2026-11-20T10:00:00Z') / SLOT_MS) * SLOT_MS;
const good = (ended_ms: number) => runOf({ ended_ms });
const failed = (ended_ms: number, blame: 'gateway' | 'account' = 'gateway') =>
  runOf({ ended_ms, error_type: 'http_5xx', blame });

test('counts good runs and failures of the service by half hours; an empty wallet is no failure of it', () => {
  const day = new DayHistory();
  day.ended(good(START), null);
  day.ended(failed(START + SLOT_MS - 1), null);
  day.ended(failed(START + SLOT_MS, 'account'), null);
  const { slots } = day.view(START + SLOT_MS);
  expect(slots).toEqual([
    { start_ms: START, good: 1, failed: 1 },
    { start_ms: START + SLOT_MS, good: 0, failed: 0 },
  ]);
  expect(runsOf(slots)).toEqual({ good: 1, failed: 1 });
});

test('forgets what is older than a day', () => {
  const day = new DayHistory();
  day.ended(good(START), 100);
  day.ended(good(START + 2 * SLOT_MS), 200);
  expect(day.view(START + DAY_MS).slots).toEqual([{ start_ms: START + 2 * SLOT_MS, good: 1, failed: 0 }]);
  expect(firstTokenWithin([day.view(START + DAY_MS)], 0.5)).toBeCloseTo(200, -1);
});

test('adds probes up, and tells within which time a share of streams had its first token', () => {
  const [quick, slow] = [new DayHistory(), new DayHistory()];
  for (let count = 0; count < 9; count += 1) quick.ended(good(START), 300);
  slow.ended(good(START), 4_000);
  const days = [quick, slow].map((day) => day.view(START));
  expect(slotsOf(days)).toEqual([{ start_ms: START, good: 10, failed: 0 }]);
  expect(Math.abs((firstTokenWithin(days, 0.5) ?? 0) / 300 - 1)).toBeLessThan(0.021);
  expect(Math.abs((firstTokenWithin(days, 0.95) ?? 0) / 4_000 - 1)).toBeLessThan(0.021);
  expect(firstTokenWithin([new DayHistory().view(START)], 0.5)).toBeNull();
});

import { expect, test } from 'vitest';
import { FakeClock } from '../probe/fake-clock.test-support.ts';
import { WaryClock } from './wary-clock.ts';

const HOUR_MS = 3_600_000;

test('a step forward is no time that has passed, until as much as was asked about has', async () => {
  const clock = new FakeClock();
  const wary = new WaryClock(clock);
  const behind = (for_ms: number) => clock.now_ms() - wary.now_ms(for_ms);
  await clock.advance(5 * HOUR_MS);
  expect(behind(HOUR_MS)).toBe(0);
  clock.setWall(clock.now_ms() + 2 * HOUR_MS);
  expect(behind(HOUR_MS)).toBe(2 * HOUR_MS);
  await clock.advance(HOUR_MS - 1);
  expect([behind(HOUR_MS), behind(2 * HOUR_MS)]).toEqual([2 * HOUR_MS, 2 * HOUR_MS]);
  await clock.advance(1);
  expect([behind(HOUR_MS), behind(2 * HOUR_MS)]).toEqual([0, 2 * HOUR_MS]);
});

test('a clock that is set back, or forth and back again, is taken as it is', () => {
  const clock = new FakeClock();
  const wary = new WaryClock(clock);
  const wall = clock.now_ms();
  for (const step of [-HOUR_MS, 365 * 24 * HOUR_MS, 0]) {
    clock.setWall(wall + step);
    const behind = clock.now_ms() - wary.now_ms(HOUR_MS);
    expect(behind).toBe(Math.max(0, step));
  }
});

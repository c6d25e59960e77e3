import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { TimerWheel } from './timer-wheel.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('runs each action once, at its time and in order, also beyond one round of the wheel', () => {
  const clock = systemClock();
  const wheel = new TimerWheel(clock);
  const start = clock.monoMs();
  const ran: number[] = [];
  for (const delay of [5000, 3, 700, 1500, 3.5, 1024, 2048]) wheel.at(start + delay, () => ran.push(delay));
  vi.advanceTimersByTime(701);
  expect(ran).toEqual([3, 3.5, 700]);
  vi.advanceTimersByTime(10_000);
  expect(ran).toEqual([3, 3.5, 700, 1024, 1500, 2048, 5000]);
});

test('what an action throws is told, and the others run', () => {
  const clock = systemClock();
  const told: unknown[] = [];
  const wheel = new TimerWheel(clock, (error) => told.push(error));
  const broken = new Error('broken');
  let ran = 0;
  wheel.at(clock.monoMs() + 5, () => {
    throw broken;
  });
  for (const delay of [5, 9]) wheel.at(clock.monoMs() + delay, () => (ran += 1));
  vi.advanceTimersByTime(20);
  expect([told, ran]).toEqual([[broken], 2]);
});

test('never runs early and says how late it is', () => {
  const clock = systemClock();
  const wheel = new TimerWheel(clock);
  const due = clock.monoMs() + 40.5;
  const seen: { at: number; lateness: number }[] = [];
  wheel.at(due, (lateness) => seen.push({ at: clock.monoMs(), lateness }));
  vi.advanceTimersByTime(200);
  expect(seen).toHaveLength(1);
  expect(seen[0]?.at).toBeGreaterThanOrEqual(due);
  expect(seen[0]?.lateness).toBeCloseTo((seen[0]?.at ?? 0) - due, 6);
});

test('a cancelled action does not run; an earlier one added later does not wait', () => {
  const clock = systemClock();
  const wheel = new TimerWheel(clock);
  const ran: string[] = [];
  const late = wheel.at(clock.monoMs() + 500, () => ran.push('late'));
  wheel.at(clock.monoMs() + 10, () => ran.push('early'));
  vi.advanceTimersByTime(12);
  expect(ran).toEqual(['early']);
  late.cancel();
  vi.advanceTimersByTime(1000);
  expect(ran).toEqual(['early']);
});

test('an action that adds another for now does not stop the wheel', () => {
  const clock = systemClock();
  const wheel = new TimerWheel(clock);
  let runs = 0;
  const again = (): void => {
    runs += 1;
    if (runs < 5) wheel.at(clock.monoMs(), again);
  };
  wheel.at(clock.monoMs() - 100, again);
  vi.advanceTimersByTime(20);
  expect(runs).toBe(5);
});

test('after a long idle time it still finds what is due', () => {
  const clock = systemClock();
  const wheel = new TimerWheel(clock);
  vi.advanceTimersByTime(60_000);
  let ran = false;
  wheel.at(clock.monoMs() + 30, () => {
    ran = true;
  });
  vi.advanceTimersByTime(32);
  expect(ran).toBe(true);
});

test('a blocked process runs everything that fell due meanwhile', () => {
  const clock = { now: 0, wallMs: () => 0, monoMs: () => clock.now };
  const wheel = new TimerWheel(clock);
  const lateness: number[] = [];
  for (let due = 10; due <= 5000; due += 10) wheel.at(due, (late) => lateness.push(late));
  clock.now = 6000;
  vi.advanceTimersByTime(6000);
  expect(lateness).toHaveLength(500);
  expect(Math.max(...lateness)).toBe(5990);
});

test('a timer set again runs at its new time only, and its action may set it itself', () => {
  const clock = systemClock();
  const wheel = new TimerWheel(clock);
  const start = clock.monoMs();
  const ran: number[] = [];
  const timer = wheel.timer(() => {
    ran.push(Math.round(clock.monoMs() - start));
    if (ran.length < 3) timer.set(start + 100 * ran.length);
  });
  timer.set(start + 50);
  timer.set(start + 20);
  vi.advanceTimersByTime(1000);
  expect(ran).toEqual([20, 100, 200]);
});

test('an action may cancel another that is due in the same millisecond', () => {
  const clock = systemClock();
  const wheel = new TimerWheel(clock);
  const ran: string[] = [];
  const due = clock.monoMs() + 10;
  wheel.at(due, () => {
    ran.push('first');
    second.cancel();
  });
  const second = wheel.at(due, () => ran.push('second'));
  wheel.at(due, () => ran.push('third'));
  vi.advanceTimersByTime(50);
  expect(ran).toEqual(['first', 'third']);
  wheel.at(clock.monoMs() + 5, () => ran.push('later'));
  vi.advanceTimersByTime(50);
  expect(ran).toEqual(['first', 'third', 'later']);
});

test('a closed wheel runs nothing and takes nothing', () => {
  const clock = systemClock();
  const wheel = new TimerWheel(clock);
  let runs = 0;
  wheel.at(clock.monoMs() + 10, () => {
    runs += 1;
  });
  wheel.close();
  wheel.at(clock.monoMs() + 10, () => {
    runs += 1;
  });
  vi.advanceTimersByTime(100);
  expect(runs).toBe(0);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemProbeClock } from './probe-clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LONG = 60 * 86_400_000;

test('a timer of two months fires after two months, which the system alone would fire at once', () => {
  const fire = vi.fn();
  systemProbeClock().setTimer(LONG, fire);
  vi.advanceTimersByTime(LONG - 1);
  expect(fire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(fire).toHaveBeenCalledTimes(1);
});

test('a timer that was taken back does not fire, in its second part neither', () => {
  const fire = vi.fn();
  for (const after of [0, 40 * 86_400_000]) {
    const cancel = systemProbeClock().setTimer(LONG, fire);
    vi.advanceTimersByTime(after);
    cancel();
    vi.advanceTimersByTime(LONG);
  }
  expect(fire).not.toHaveBeenCalled();
});

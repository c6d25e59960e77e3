import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import { TimerWheel } from '../latency/timer-wheel.ts';
import type { TaskWork } from './task.ts';
import { TASK_LIFE_S, TaskStore } from './task-store.ts';

class RecordedWork implements TaskWork {
  readonly ends: string[] = [];
  complete(): void {
    this.ends.push('complete');
  }
  fail(): void {
    this.ends.push('fail');
  }
  abandon(): void {
    this.ends.push('abandon');
  }
}

let store: TaskStore<RecordedWork>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  const clock = systemClock();
  store = new TaskStore('t_', clock, new TimerWheel(clock));
});
afterEach(() => {
  vi.useRealTimers();
});

function submit() {
  return store.submit({ accountId: 1, work: new RecordedWork(), queue_ms: 100, run_ms: 400 });
}

test('queued, in progress, completed: forward only, and the work ends once', () => {
  const task = submit();
  const seen: string[] = [];
  let progress = 0;
  for (let step = 0; step < 70; step += 1) {
    seen.push(task.status);
    expect(store.progress(task)).toBeGreaterThanOrEqual(progress);
    progress = store.progress(task);
    vi.advanceTimersByTime(10);
  }
  expect([...new Set(seen)]).toEqual(['queued', 'in_progress', 'completed']);
  expect(seen.lastIndexOf('queued')).toBeLessThan(seen.indexOf('in_progress'));
  expect(progress).toBe(100);
  expect(task.work.ends).toEqual(['complete']);
});

test.each([50, 250])('failed after %i ms, it stays failed', (after) => {
  const task = submit();
  vi.advanceTimersByTime(after);
  expect(store.fail(task.id, { code: 'c', message: 'm' })).toBe(true);
  expect(store.fail(task.id, { code: 'd', message: 'n' })).toBe(false);
  vi.advanceTimersByTime(5000);
  expect(task).toMatchObject({ status: 'failed', error: { code: 'c', message: 'm' } });
  expect(task.work.ends).toEqual(['fail']);
});

test('it is found by its account for a day', () => {
  const { id } = submit();
  expect(store.find(id, 2)).toBeNull();
  expect(store.find('t_none', 1)).toBeNull();
  vi.advanceTimersByTime(TASK_LIFE_S * 1000);
  expect(store.find(id, 1)?.id).toBe(id);
  vi.advanceTimersByTime(2000);
  expect(store.find(id, 1)).toBeNull();
});

test('abandon reaches the tasks that have not ended', () => {
  const done = submit();
  vi.advanceTimersByTime(1000);
  const open = submit();
  store.abandon();
  expect([done.work.ends, open.work.ends]).toEqual([['complete'], ['abandon']]);
});

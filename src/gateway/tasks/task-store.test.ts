import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FaultHooks } from '../hooks/fault-definition.ts';
import { RequestFaults } from '../hooks/request-faults.ts';
import { systemClock } from '../time/clock.ts';
import { TimerWheel } from '../time/timer-wheel.ts';
import type { TaskWork } from './task.ts';
import { TASK_LIFE_S, TaskStore } from './task-store.ts';

class RecordedWork implements TaskWork {
  readonly faults: RequestFaults;
  readonly price = 7n;
  readonly ends: string[] = [];

  constructor(hooks?: FaultHooks) {
    const armed = { fault: 'f', ordinal: 1, parameters: {} };
    this.faults = hooks === undefined ? RequestFaults.NONE : new RequestFaults([{ ...armed, hooks }]);
  }

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

function submit(hooks?: FaultHooks) {
  const work = new RecordedWork(hooks);
  return store.submit({ accountId: 1, work, queue_ms: 100, run_ms: 400 });
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
  const before = store.progress(task);
  expect(store.fail(task.id, { code: 'c', message: 'm' })).toBe(true);
  const progress = store.progress(task);
  expect(progress).toBeGreaterThanOrEqual(before);
  expect(store.fail(task.id, { code: 'd', message: 'n' })).toBe(false);
  vi.advanceTimersByTime(5000);
  expect(store.progress(task)).toBe(progress);
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

test('thousands of tasks are kept for a day and no longer, those that never end included', () => {
  const stuck = submit({ held: () => Number.POSITIVE_INFINITY });
  const tasks = Array.from({ length: 3000 }, () => submit());
  vi.advanceTimersByTime(TASK_LIFE_S * 1000);
  expect([store.count, stuck.status, tasks.at(-1)?.status]).toEqual([3001, 'queued', 'completed']);
  vi.advanceTimersByTime(2000);
  expect(store.find(stuck.id, 1)).toBeNull();
  expect(store.count).toBe(0);
  expect(stuck.work.ends).toEqual(['abandon']);
  expect(tasks.every(({ work }) => work.ends.join() === 'complete')).toBe(true);
});

test('a task that still runs when its day is over ends all the same, and is let go then', () => {
  let jumped_s = 0;
  const clock = { ...systemClock(), wallMs: () => Date.now() + jumped_s * 1000 };
  store = new TaskStore('t_', clock, new TimerWheel(clock));
  const task = submit();
  jumped_s = TASK_LIFE_S + 10;
  expect(store.find(task.id, 1)).toBeNull();
  expect([store.count, task.work.ends]).toEqual([1, []]);
  vi.advanceTimersByTime(1000);
  expect(store.find(task.id, 1)).toBeNull();
  expect([store.count, task.work.ends]).toEqual([0, ['complete']]);
});

test('a fault may hold a task for some time: it runs as long as it would have, and no progress is lost', () => {
  const holds = new Map([
    ['start', 1000],
    ['end', 3000],
  ]);
  const asked: bigint[] = [];
  const task = submit({
    held(move, reserved) {
      asked.push(reserved);
      const hold = holds.get(move) ?? null;
      holds.delete(move);
      return hold;
    },
  });
  const seen: [number, string][] = [];
  let progress = 0;
  for (let at = 0; at < 5000; at += 50) {
    if (seen.at(-1)?.[1] !== task.status) seen.push([Math.floor(at / 100), task.status]);
    expect(store.progress(task)).toBeGreaterThanOrEqual(progress);
    progress = store.progress(task);
    vi.advanceTimersByTime(50);
  }
  expect(seen).toEqual([
    [0, 'queued'],
    [11, 'in_progress'],
    [45, 'completed'],
  ]);
  expect(new Set(asked)).toEqual(new Set([7n]));
});

import { expect, it } from 'vitest';
import type { TaskState } from '../../client/paid/paid-result.ts';
import { FakeClock, settled } from '../fake-clock.test-support.ts';
import type { OpenTask } from '../tasks/task-line.ts';
import { rowOf } from '../view/daemon-view.test-support.ts';
import { watchTask } from './watch-task.ts';

const HOUR_MS = 3_600_000;
const MOST_MS = 600_000;
const SHARED = { model: 'm', call_id: 'c', logical_id: 'l', scenario: 'v' } as const;

/** A task that is queued, is worked on a minute after its submit, and never over. */
function watching() {
  const clock = new FakeClock();
  const wall_ms = clock.now_ms();
  const start = { wall_ms, mono_ms: clock.mono_ms() };
  const timeouts = { connect_ms: 1, headers_ms: 1, first_token_ms: 1, idle_ms: 1, total_ms: 1 };
  const open = { ...SHARED, kind: 'video', id: 't', timeouts, status: null, reads: 0 } as const;
  const task: OpenTask = {
    ...SHARED,
    api: 'video',
    id: 'r',
    target: 'main',
    probe: 'v',
    task_id: 't',
    intended_ms: wall_ms,
    accepted_ms: wall_ms,
    deadline_ms: wall_ms + MOST_MS,
    size: null,
    quality: null,
    seconds: null,
  };
  const pollTask = (): Promise<TaskState> => {
    const status = clock.mono_ms() - start.mono_ms < 60_000 ? 'queued' : 'in_progress';
    const read = { row: rowOf({}), status, transition: null, end: null, broken_rules: [], task: open };
    return Promise.resolve(read);
  };
  const client = { pollTask, downloadTask: () => Promise.reject(new Error('nothing to fetch')) };
  const means = { clock, ledger: { rows: () => undefined } };
  const never = new AbortController().signal;
  const watched = watchTask(means, client, { task, open, row: null, start }, never);
  return { clock, watched };
}

it.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])(
  'a task is waited for as long, and its parts take as long, where the clock was set %s',
  async (_, step) => {
    const { clock, watched } = watching();
    let isOver = false;
    void watched.then(() => {
      isOver = true;
    });
    await clock.advance(30_000);
    clock.setWall(clock.now_ms() + step);
    await clock.advance(MOST_MS - 45_000);
    expect(isOver).toBe(false);
    await clock.advance(30_000);
    await settled();
    expect(isOver).toBe(true);
    const { final, job } = (await watched) ?? {};
    expect(final).toBe('timeout');
    expect(job?.queue_ms).toBeGreaterThanOrEqual(60_000);
    expect(job?.queue_ms).toBeLessThan(75_000);
  },
);

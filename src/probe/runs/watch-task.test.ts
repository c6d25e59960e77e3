import { expect, it } from 'vitest';
import type { TaskContent, TaskState } from '../../client/paid/paid-result.ts';
import { FakeClock, settled } from '../fake-clock.test-support.ts';
import type { UnfinishedTask } from '../tasks/task-line.ts';
import { rowOf } from '../view/daemon-view.test-support.ts';
import { watchTask } from './watch-task.ts';

const HOUR_MS = 3_600_000;
const MOST_MS = 600_000;
const SHARED = { model: 'm', call_id: 'c', logical_id: 'l', scenario: 'v' } as const;

/** A task that is queued, is worked on a minute after its submit, and never over; or one that is `completed` at once. */
function watching(completed: Promise<TaskContent> | null = null) {
  const clock = new FakeClock();
  const wall_ms = clock.now_ms();
  const start = { wall_ms, mono_ms: clock.mono_ms() };
  const timeouts = { connect_ms: 1, headers_ms: 1, first_token_ms: 1, idle_ms: 1, total_ms: 1 };
  const open = { ...SHARED, kind: 'video', id: 't', timeouts, status: null, reads: 0 } as const;
  const task: UnfinishedTask = {
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
    const working = clock.mono_ms() - start.mono_ms < 60_000 ? 'queued' : 'in_progress';
    const status = completed === null ? working : 'completed';
    const read = {
      row: rowOf({}),
      status,
      transition: null,
      end: null,
      broken_rules: [],
      task: { ...open, status },
    };
    return Promise.resolve(read);
  };
  const client = { pollTask, downloadTask: () => completed ?? Promise.reject(new Error('nothing to fetch')) };
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

it('a completed task whose content is refused ends with a failed download, not with a refusal of its call', async () => {
  const timeouts = { connect_ms: 1, headers_ms: 1, first_token_ms: 1, idle_ms: 1, total_ms: 1 };
  const task = { ...SHARED, kind: 'video', id: 't', timeouts, status: 'completed', reads: 2 } as const;
  const end = { outcome: 'http_error', error_type: 'http_4xx', error_code: null, message: 'gone' } as const;
  const rows = [rowOf({ kind: 'download', outcome: 'http_error', status: 404 })];
  const { clock, watched } = watching(Promise.resolve({ rows, end, content: null, broken_rules: [], task }));
  await clock.advance(1_000);
  expect(await watched).toMatchObject({
    final: 'completed',
    end: {
      outcome: 'bad_response',
      error_type: 'download_failed',
      message: 'the result could not be downloaded: http_error 404, gone',
    },
  });
});

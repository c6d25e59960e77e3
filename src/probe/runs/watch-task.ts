import type { OpenTask as CalledTask } from '../../client/paid/paid-call.ts';
import type { PaidClient } from '../../client/paid/paid-client.ts';
import type { AnswerRule, TaskContent } from '../../client/paid/paid-result.ts';
import { fetchedEnd, type TaskEnd } from '../../client/paid/task-end.ts';
import { seeStatus, type TaskWatchState, type Transition } from '../../client/paid/task-life.ts';
import type { CallJob, CallRow } from '../../contracts/ledger-lines.ts';
import type { ProbeClock } from '../schedule/probe-clock.ts';
import type { TaskFinal, UnfinishedTask } from '../tasks/task-line.ts';
import { type RunStart, steadyNow } from './report-run.ts';
import type { TargetMeans } from './target-means.ts';

/** The first status is asked for soon, later ones less and less often. */
const FIRST_POLL_MS = 500;
const GROWTH = 1.5;
const LONGEST_POLL_MS = { image_job: 5_000, image_edit_job: 5_000, video: 10_000 } as const;
/** Fetches of content that was promised. */
const MOST_FETCHES = 3;

export interface WatchedTask {
  readonly end: TaskEnd;
  readonly final: TaskFinal;
  readonly job: CallJob;
  /** Of the free reads that count for the run: the last poll, and the fetches. */
  readonly rows: readonly CallRow[];
  readonly broken_rules: readonly AnswerRule[];
  readonly transitions: readonly Transition[];
  readonly content_bytes: number | null;
  readonly download_ms: number | null;
}

type TaskReads = Pick<PaidClient, 'pollTask' | 'downloadTask'>;
interface WatchMeans extends Pick<TargetMeans, 'clock'> {
  readonly ledger: Pick<TargetMeans['ledger'], 'rows'>;
}

interface Watching {
  readonly task: UnfinishedTask;
  readonly open: CalledTask;
  /** Of the submit, where this process or the one before kept it. */
  readonly row: CallRow | null;
  /** Of the submit. */
  readonly start: RunStart;
}

/** Reads the status of a task until it is over; null where our own end came first. */
export async function watchTask(
  means: WatchMeans,
  client: TaskReads,
  { task, open: first, row, start }: Watching,
  signal: AbortSignal,
): Promise<WatchedTask | null> {
  const most_ms = task.deadline_ms - task.intended_ms;
  let open = first;
  let wait_ms = FIRST_POLL_MS;
  let watch: TaskWatchState = {
    job: row?.job ?? { id: task.task_id, statuses: [], queue_ms: null, run_ms: null, polls: 0 },
    // Where the clock was set back between two processes, it was not accepted in the future.
    accepted_at_ms: Math.min(task.accepted_ms, steadyNow(means, start)),
    working_at_ms: null,
  };
  const transitions: Transition[] = [];
  const broken_rules: AnswerRule[] = [];
  const over = (end: TaskEnd, rows: readonly CallRow[], content: Content = NO_CONTENT): WatchedTask => {
    return {
      end,
      final: finalOf(end, open.status),
      job: watch.job,
      rows,
      broken_rules,
      transitions,
      ...content,
    };
  };
  for (;;) {
    if (steadyNow(means, start) >= start.wall_ms + most_ms) return over(LATE, []);
    if (!(await pause(means.clock, wait_ms, signal))) return null;
    const read = await client.pollTask(open, signal);
    means.ledger.rows([read.row]);
    if (read.row.outcome === 'interrupted') return null;
    open = read.task;
    watch = seeStatus(watch, read.status, steadyNow(means, start));
    broken_rules.push(...read.broken_rules);
    if (read.transition !== null) transitions.push(read.transition);
    if (read.end !== null) return over(read.end, [read.row]);
    if (read.status === 'completed') {
      const content = await fetchContent(means, client, open, signal);
      if (content === null) return null;
      open = content.last.task;
      broken_rules.push(...content.last.broken_rules);
      return over(fetchedEnd(content.last.end, content.last.rows), [read.row, ...content.rows], {
        content_bytes: content.last.content?.bytes ?? null,
        download_ms: content.ms,
      });
    }
    const asked = (read.row.retry_after_s ?? 0) * 1000;
    wait_ms = Math.max(asked, Math.min(wait_ms * GROWTH, LONGEST_POLL_MS[task.api]));
  }
}

/** The content of a completed task; a fetch that broke on the way is made again, for it is free. */
async function fetchContent(
  means: WatchMeans,
  client: TaskReads,
  task: CalledTask,
  signal: AbortSignal,
): Promise<{ last: TaskContent; rows: readonly CallRow[]; ms: number } | null> {
  const began = means.clock.mono_ms();
  const rows: CallRow[] = [];
  let open = task;
  for (let attempt = 1; ; attempt += 1) {
    const last = await client.downloadTask(open, signal);
    means.ledger.rows(last.rows);
    rows.push(...last.rows);
    if (last.rows.some(({ outcome }) => outcome === 'interrupted')) return null;
    const broke = last.end.outcome === 'net_error' || last.end.outcome === 'truncated';
    if (!broke || attempt === MOST_FETCHES) return { last, rows, ms: means.clock.mono_ms() - began };
    open = last.task;
    if (!(await pause(means.clock, FIRST_POLL_MS * attempt, signal))) return null;
  }
}

type Content = Pick<WatchedTask, 'content_bytes' | 'download_ms'>;
const NO_CONTENT: Content = { content_bytes: null, download_ms: null };

const LATE: TaskEnd = {
  outcome: 'timeout_task',
  error_type: 'timeout_task',
  error_code: null,
  message: 'the task was not final in its time',
};

function finalOf({ outcome }: TaskEnd, status: string | null): TaskFinal {
  if (outcome === 'ok') return 'completed';
  if (outcome === 'timeout_task') return 'timeout';
  if (outcome === 'task_lost') return 'lost';
  return status === 'completed' ? 'completed' : 'failed';
}

/** Waits; false where the signal ended it. */
function pause(clock: Pick<ProbeClock, 'setTimer'>, ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const onAbort = () => {
      cancel();
      resolve(false);
    };
    const cancel = clock.setTimer(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve(true);
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

import type { OpenTask as CalledTask } from '../../client/paid/paid-call.ts';
import type { SubmittedTask } from '../../client/paid/paid-result.ts';
import { closedTaskRow } from '../../client/paid/task-life.ts';
import type { DueRun } from '../schedule/due-run.ts';
import type { UnfinishedTask } from '../tasks/task-line.ts';
import type { RunSpend } from '../view/probe-run.ts';
import { type Reserved, settleRow } from './paid-run.ts';
import { endedRun, type RunStart, retryAfterMs, statusesOf, steadyNow } from './report-run.ts';
import { INTERRUPTED, type RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';
import { type WatchedTask, watchTask } from './watch-task.ts';

/** An accepted task, and what is known of its beginning: less where another process made it. */
export interface FollowedTask {
  readonly task: UnfinishedTask;
  readonly open: CalledTask;
  readonly submitted: (Pick<SubmittedTask, 'row'> & Partial<Omit<SubmittedTask, 'row'>>) | null;
  /** Null where no book is known that it could be priced by: its worst case stays. */
  readonly reserved: Reserved | null;
  /** Of the submit, whichever process made it. */
  readonly start: RunStart;
}

/** Polls a task to its end, fetches what it made, and writes down how it ended: first that it is over, then what it cost. */
export async function followTask(
  means: TargetMeans,
  due: Pick<DueRun, 'target' | 'probe'>,
  { task, open, submitted, reserved, start }: FollowedTask,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { client } = means.ledger.today();
  const watched = await watchTask(
    means,
    client,
    { task, open, row: submitted?.row ?? null, start },
    AbortSignal.any([signal, means.ending]),
  );
  if (watched === null) return INTERRUPTED;
  const { end, job, final } = watched;
  const closing = submitted === null ? null : closedTaskRow(submitted.row, job, end, steadyNow(means, start));
  if (closing !== null) means.ledger.rows([closing]);
  await means.tasks?.closed(task.id, final);
  const spend = closing === null || reserved === null ? null : await settleRow(means, reserved, closing);
  if (spend === null) await means.budget?.settleAtWorst(task.id);
  await means.submitted.forget(task.id);
  const rows = [...(closing === null ? [] : [closing]), ...watched.rows];
  return endedRun(
    means,
    due,
    start,
    {
      error_type: end.error_type,
      why: whyTask(watched),
      request_id: closing?.request_id ?? watched.rows.at(-1)?.request_id ?? null,
      statuses: statusesOf(rows),
      retry_after_ms: retryAfterMs(watched.rows),
      phases: submitted?.phases ?? null,
      tls_not_after_ms: submitted?.tls_not_after_ms ?? null,
      rows,
      spend: spendOf(spend, reserved),
    },
    {
      content_bytes: watched.content_bytes,
      broken_rules: [...(submitted?.broken_rules ?? []), ...watched.broken_rules],
      task: {
        final,
        stages: {
          submit: submitted?.row.end_ms ?? null,
          queued: job.queue_ms,
          in_progress: job.run_ms,
          download: watched.download_ms,
          total: steadyNow(means, start) - start.wall_ms,
        },
        polls: job.polls,
        transitions: watched.transitions,
      },
    },
  );
}

function spendOf(spend: RunSpend | null, reserved: Reserved | null): RunSpend | null {
  return spend ?? (reserved === null ? null : { reserved: reserved.worst, priced: null });
}

function whyTask({ end, final }: WatchedTask): string | null {
  if (end.error_type === 'none') return null;
  const code = end.error_code === null ? '' : ` (${end.error_code})`;
  return `expected a task that completes with sound content, found ${final}: ${end.message ?? end.error_type.replaceAll('_', ' ')}${code}`;
}

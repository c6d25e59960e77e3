import { TASK_STATUSES, type TaskStatus } from '../../contracts/interface.ts';
import type { CallJob, CallRow } from '../../contracts/ledger-lines.ts';
import { BLAME_OF } from '../../contracts/outcome.ts';
import type { TaskEnd } from './task-end.ts';

/** A status change that reads showed; `legal` where it goes forward (interface §3: states between two reads may be missed). */
export interface Transition {
  readonly from: string;
  readonly to: string;
  readonly legal: boolean;
}

const ORDER: Readonly<Record<TaskStatus, number>> = { queued: 0, in_progress: 1, completed: 2, failed: 2 };

export function isTaskStatus(status: string): status is TaskStatus {
  return (TASK_STATUSES as readonly string[]).includes(status);
}

/** Polling stops at these, so nothing comes after them. */
export function isFinalStatus(status: string | null): boolean {
  return status === 'completed' || status === 'failed';
}

/** Null where nothing changed, or nothing was told before. */
export function transitionOf(from: string | null, to: string): Transition | null {
  if (from === null || from === to) return null;
  const legal = isTaskStatus(from) && isTaskStatus(to) && ORDER[from] < ORDER[to];
  return { from, to, legal };
}

/** What reads of a task have shown, with the moments that its times count from, ms since the epoch. */
export interface TaskWatchState {
  readonly job: CallJob;
  readonly accepted_at_ms: number;
  readonly working_at_ms: number | null;
}

/** The task after a read that told this status; null for a read that told none. */
export function seeStatus(watch: TaskWatchState, status: string | null, atMs: number): TaskWatchState {
  const { job, accepted_at_ms } = watch;
  if (status === null) return { ...watch, job: { ...job, polls: job.polls + 1 } };
  const working_at_ms = watch.working_at_ms ?? (status === 'in_progress' ? atMs : null);
  const ran = isFinalStatus(status) && working_at_ms !== null ? atMs - working_at_ms : null;
  return {
    accepted_at_ms,
    working_at_ms,
    job: {
      id: job.id,
      statuses: job.statuses.at(-1) === status ? job.statuses : [...job.statuses, status],
      queue_ms: working_at_ms === null ? null : working_at_ms - accepted_at_ms,
      run_ms: job.run_ms ?? ran,
      polls: job.polls + 1,
    },
  };
}

/**
 * The paid row of a task that is over: that of its submit, with how it ended. A ledger has one row a call, so the row of the
 * submit is kept beside the open task and only this one is written.
 */
export function closedTaskRow(submitted: CallRow, job: CallJob, end: TaskEnd, endedAtMs: number): CallRow {
  return {
    ...submitted,
    job,
    outcome: end.outcome,
    error_type: end.error_type,
    blame: BLAME_OF[end.error_type],
    error_code: end.error_code ?? submitted.error_code,
    error_message: end.message ?? submitted.error_message,
    end_ms: Math.max(submitted.end_ms, endedAtMs - Date.parse(submitted.started_at)),
  };
}

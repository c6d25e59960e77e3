import type { TaskStatus } from '../../../core/interface.ts';

/** What a status read of a task tells. */
export interface TaskView {
  readonly status: TaskStatus;
  readonly progress: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Faults of image jobs and video tasks, armed by the call that creates the task and in force as long as it lives. */
export interface TaskHooks {
  /** What a status read tells instead, `poll` counted from 1; `gone`: 404. Null leaves it. */
  polled?(view: TaskView, poll: number): TaskView | 'gone' | null;
}

import type { Buffer } from 'node:buffer';
import type { PicoUsd } from '../../core/amount.ts';
import type { TaskError } from '../events/books-event.ts';

/** What a status read of a task tells. */
export interface TaskView {
  /** One of interface §3, unless a fault makes it another. */
  readonly status: string;
  readonly progress: number;
  readonly error: TaskError | null;
}

/** Faults of image jobs and video tasks, armed by the call that creates the task and in force as long as it lives. */
export interface TaskHooks {
  /**
   * When the task is due to start or to end: how many ms longer it stays as it is, Infinity for good. Null: it moves.
   * `reserved`: what is held back from the balance until it ends.
   */
  held?(move: 'start' | 'end', reserved: PicoUsd): number | null;
  /** When the task is due to end: the error with which it fails. Null: it is completed. */
  fails?(): TaskError | null;
  /** What a status read tells instead, `poll` counted from 1. Null leaves it. */
  polled?(view: TaskView, poll: number): TaskView | null;
  /** Whether a read after `polls` status reads no longer finds the task. */
  gone?(polls: number): boolean;
  /** Whether another account that asks for the task gets it. */
  shared?(): boolean;
  /** The time of creation as answers tell it, from the true one in Unix seconds. Null leaves it. */
  createdAt?(unix_s: number): number | null;
  /** The status with which the result of a completed task is refused. Null: it is served. */
  refused?(): 404 | 409 | null;
  /** Asked where another completed task exists: whether that one's result is served. */
  crossed?(): boolean;
  /** The bytes of a download, in the place of `file`, which is null before the video is completed. Null leaves it. */
  content?(file: Buffer | null): Buffer | null;
}

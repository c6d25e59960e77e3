import { randomBytes } from 'node:crypto';
import { SECONDS_PER_DAY } from '../../core/time.ts';
import { type Clock, unixSeconds } from '../clock.ts';
import type { TimerWheel } from '../latency/timer-wheel.ts';
import type { Task, TaskError, TaskWork } from './task.ts';

/** How long a task can be read after it was accepted. */
export const TASK_LIFE_S = SECONDS_PER_DAY;

export interface NewTask<W> {
  readonly accountId: number;
  readonly work: W;
  readonly queue_ms: number;
  readonly run_ms: number;
}

/** Tasks of one kind; they move on by the clock, whether anybody polls them or not. */
export class TaskStore<W extends TaskWork> {
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #wheel: TimerWheel;
  readonly #tasks = new Map<string, Task<W>>();

  constructor(prefix: string, clock: Clock, wheel: TimerWheel) {
    this.#prefix = prefix;
    this.#clock = clock;
    this.#wheel = wheel;
  }

  submit({ accountId, work, queue_ms, run_ms }: NewTask<W>): Task<W> {
    this.#forgetOld();
    const from_ms = this.#clock.monoMs() + queue_ms;
    const task: Task<W> = {
      id: `${this.#prefix}${randomBytes(12).toString('hex')}`,
      accountId,
      work,
      createdAt: this.#now(),
      startedAt: null,
      completedAt: null,
      status: 'queued',
      error: null,
      runs: { from_ms, to_ms: from_ms + run_ms },
    };
    this.#tasks.set(task.id, task);
    this.#wheel.at(task.runs.from_ms, () => this.#start(task));
    return task;
  }

  /** Null for an unknown task, one of another account, and one whose day is over. */
  find(id: string, accountId: number): Task<W> | null {
    const task = this.#tasks.get(id);
    if (task === undefined || task.accountId !== accountId) return null;
    return this.#now() - task.createdAt > TASK_LIFE_S ? null : task;
  }

  /** Percent of the work done; never goes back. */
  progress(task: Task<W>): number {
    if (task.status === 'completed') return 100;
    if (task.status === 'queued') return 0;
    const { from_ms, to_ms } = task.runs;
    const share = (this.#clock.monoMs() - from_ms) / Math.max(1, to_ms - from_ms);
    return Math.max(0, Math.min(99, Math.floor(share * 100)));
  }

  /** Ends a task that still runs as failed; false when there is none. */
  fail(id: string, error: TaskError): boolean {
    const task = this.#tasks.get(id);
    if (task === undefined || isEnded(task)) return false;
    task.status = 'failed';
    task.error = error;
    task.completedAt = this.#now();
    task.work.fail();
    return true;
  }

  /** Tells the work of every task that has not ended. */
  abandon(): void {
    for (const task of this.#tasks.values()) {
      if (!isEnded(task)) task.work.abandon();
    }
  }

  #start(task: Task<W>): void {
    if (isEnded(task)) return;
    task.status = 'in_progress';
    task.startedAt = this.#now();
    this.#wheel.at(task.runs.to_ms, (lateness_ms) => this.#complete(task, lateness_ms));
  }

  #complete(task: Task<W>, lateness_ms: number): void {
    if (isEnded(task)) return;
    task.status = 'completed';
    task.completedAt = this.#now();
    task.work.complete(lateness_ms);
  }

  #forgetOld(): void {
    const oldest = this.#now() - TASK_LIFE_S;
    for (const [id, task] of this.#tasks) {
      if (task.createdAt >= oldest) return;
      if (isEnded(task)) this.#tasks.delete(id);
    }
  }

  #now(): number {
    return unixSeconds(this.#clock.wallMs());
  }
}

function isEnded({ status }: { readonly status: string }): boolean {
  return status === 'completed' || status === 'failed';
}

import { randomBytes } from 'node:crypto';
import { SECONDS_PER_DAY } from '../../core/time.ts';
import type { TaskError } from '../events/books-event.ts';
import { RequestFaults } from '../hooks/request-faults.ts';
import type { TaskView } from '../hooks/task-hooks.ts';
import { type Clock, unixSeconds } from '../time/clock.ts';
import type { TimerAction, TimerWheel } from '../time/timer-wheel.ts';
import type { Task, TaskWork } from './task.ts';

/** How long a task can be read after it was accepted. */
export const TASK_LIFE_S = SECONDS_PER_DAY;

export interface NewTask<W> {
  /** A new one unless given. */
  readonly id?: string;
  readonly accountId: number;
  readonly work: W;
  readonly queue_ms: number;
  readonly run_ms: number;
}

/** Where tasks are told to that outlive the process. */
export interface TaskLog<W extends TaskWork> {
  /** Before anybody learns of the task; throws when it cannot be kept. */
  accepted(task: Task<W>): void;
  /** Before anybody learns that it runs. */
  started(task: Task<W>): void;
  /** Before its work is ended. */
  ended(task: Task<W>): void;
}

/** A task of an earlier process, with the state in which it is: `runs` as moments of this process's clock. */
export type KnownTask<W extends TaskWork> = Omit<Task<W>, 'polls'>;

/** Tasks of one kind; they move on by the clock, whether anybody polls them or not. */
export class TaskStore<W extends TaskWork> {
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #wheel: TimerWheel;
  readonly #log: TaskLog<W> | null;
  readonly #tasks = new Map<string, Task<W>>();
  /** Tasks that no timer moves any more. */
  readonly #heldForGood = new Set<Task<W>>();

  constructor(prefix: string, clock: Clock, wheel: TimerWheel, log: TaskLog<W> | null = null) {
    this.#prefix = prefix;
    this.#clock = clock;
    this.#wheel = wheel;
    this.#log = log;
  }

  newId(): string {
    return `${this.#prefix}${randomBytes(12).toString('hex')}`;
  }

  submit({ id = this.newId(), accountId, work, queue_ms, run_ms }: NewTask<W>): Task<W> {
    this.#forgetOld();
    const from_ms = this.#clock.monoMs() + queue_ms;
    const task: Task<W> = {
      id,
      accountId,
      work,
      createdAt: this.#now(),
      startedAt: null,
      completedAt: null,
      status: 'queued',
      error: null,
      polls: 0,
      runs: { from_ms, to_ms: from_ms + run_ms },
    };
    this.#log?.accepted(task);
    this.#tasks.set(task.id, task);
    this.#wheel.at(task.runs.from_ms, () => this.#start(task));
    return task;
  }

  /** Takes a task over from an earlier process: what was due meanwhile happens at once. */
  takeOver(known: KnownTask<W>): void {
    const task: Task<W> = { ...known, polls: 0 };
    this.#tasks.set(task.id, task);
    if (isEnded(task)) return;
    // Not by the wheel: a task that was in progress must not be seen in the queue again.
    if (task.runs.from_ms <= this.#clock.monoMs()) this.#start(task);
    else this.#wheel.at(task.runs.from_ms, () => this.#start(task));
  }

  /** Tasks that are kept. */
  get count(): number {
    return this.#tasks.size;
  }

  /** Those of an account that are kept, newest first. */
  ofAccount(accountId: number): readonly Task<W>[] {
    return [...this.#tasks.values()].filter((task) => task.accountId === accountId).reverse();
  }

  /** Null for an unknown task, one of another account, and one whose day is over. */
  find(id: string, accountId: number): Task<W> | null {
    this.#forgetOld();
    const task = this.#tasks.get(id);
    if (task === undefined || this.#now() - task.createdAt > TASK_LIFE_S) return null;
    const { faults } = task.work;
    if (task.accountId !== accountId && !faults.first((hooks) => hooks.shared?.() || null)) return null;
    return faults.first((hooks) => hooks.gone?.(task.polls) || null) ? null : task;
  }

  /** A status read: as `find`, and counted. */
  poll(id: string, accountId: number): Task<W> | null {
    const task = this.find(id, accountId);
    if (task !== null) task.polls += 1;
    return task;
  }

  /** What a status read tells now; the creating answer is none. */
  view(task: Task<W>): TaskView {
    const { status, error } = task;
    const view: TaskView = { status, progress: this.progress(task), error };
    if (task.polls === 0) return view;
    return task.work.faults.through(view, (hooks, told) => hooks.polled?.(told, task.polls));
  }

  /** The task whose result is served for a completed one: itself, or by a fault the last other one that `differs`. */
  servedFor(task: Task<W>, differs: (other: W) => boolean): Task<W> {
    const { faults } = task.work;
    if (faults === RequestFaults.NONE) return task;
    const others = [...this.#tasks.values()].filter(
      (other) => other !== task && other.status === 'completed' && differs(other.work),
    );
    const other = others.at(-1);
    if (other === undefined) return task;
    return faults.first((hooks) => hooks.crossed?.() || null) ? other : task;
  }

  /** Percent of the work done; never goes back. */
  progress(task: Task<W>): number {
    if (task.status === 'completed') return 100;
    if (task.status === 'queued') return 0;
    const { from_ms, to_ms } = task.runs;
    const share = this.#runFor_ms(task) / Math.max(1, to_ms - from_ms);
    return Math.max(0, Math.min(99, Math.floor(share * 100)));
  }

  /** Of a task that was started. A failed one stays where it was: its last second counts in full, or it might go back. */
  #runFor_ms({ status, startedAt, completedAt, runs }: Task<W>): number {
    if (status !== 'failed') return this.#clock.monoMs() - runs.from_ms;
    return startedAt === null || completedAt === null ? 0 : (completedAt - startedAt + 1) * 1000;
  }

  /** Ends a task that still runs as failed; false when there is none. */
  fail(id: string, error: TaskError): boolean {
    const task = this.#tasks.get(id);
    if (task === undefined || isEnded(task)) return false;
    this.#fail(task, error);
    return true;
  }

  /** Ends every task that still runs as failed; how many it was. */
  failAll(error: TaskError): number {
    return [...this.#tasks.keys()].filter((id) => this.fail(id, error)).length;
  }

  /** Tells the work of every task that has not ended. */
  abandon(): void {
    for (const task of this.#tasks.values()) {
      if (!isEnded(task)) task.work.abandon();
    }
  }

  #start(task: Task<W>): void {
    if (isEnded(task) || this.#isHeld(task, 'start', () => this.#start(task))) return;
    task.status = 'in_progress';
    // An earlier process may have started it.
    if (task.startedAt === null) {
      task.startedAt = this.#now();
      this.#log?.started(task);
    }
    this.#wheel.at(task.runs.to_ms, (lateness_ms) => this.#end(task, lateness_ms));
  }

  #end(task: Task<W>, lateness_ms: number): void {
    if (isEnded(task) || this.#isHeld(task, 'end', (late) => this.#end(task, late))) return;
    const error = task.work.faults.first((hooks) => hooks.fails?.());
    if (error !== null) {
      this.#fail(task, error);
      return;
    }
    task.status = 'completed';
    task.completedAt = this.#now();
    this.#log?.ended(task);
    task.work.complete(lateness_ms);
  }

  #fail(task: Task<W>, error: TaskError): void {
    task.status = 'failed';
    task.error = error;
    task.completedAt = this.#now();
    this.#log?.ended(task);
    task.work.fail();
  }

  /** Whether a fault keeps a task as it is; what is due then waits as long. */
  #isHeld(task: Task<W>, move: 'start' | 'end', due: TimerAction): boolean {
    const { faults, price } = task.work;
    const hold_ms = faults.first((hooks) => hooks.held?.(move, price));
    if (hold_ms === null) return false;
    if (!Number.isFinite(hold_ms)) {
      this.#heldForGood.add(task);
      return true;
    }
    const { from_ms, to_ms } = task.runs;
    if (move === 'start') task.runs = { from_ms: from_ms + hold_ms, to_ms: to_ms + hold_ms };
    this.#wheel.at((move === 'start' ? from_ms : to_ms) + hold_ms, due);
    return true;
  }

  /** Tasks stand in the order of their creation. What still runs is let go once it has ended. */
  #forgetOld(): void {
    const oldest = this.#now() - TASK_LIFE_S;
    for (const [id, task] of this.#tasks) {
      if (task.createdAt >= oldest) return;
      if (!this.#heldForGood.delete(task) && !isEnded(task)) continue;
      this.#tasks.delete(id);
      if (!isEnded(task)) task.work.abandon();
    }
  }

  #now(): number {
    return unixSeconds(this.#clock.wallMs());
  }
}

function isEnded({ status }: { readonly status: string }): boolean {
  return status === 'completed' || status === 'failed';
}

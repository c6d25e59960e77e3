import type { CallJob } from '../contracts/ledger-lines.ts';
import { asName, asObject } from '../wire/json-fields.ts';
import { taskStatusOf } from '../wire/task-status.ts';
import type { JudgedAnswer } from './answer-row.ts';

/** Writes the row of an accepted task, once. */
export type WatchedTaskEnd = (job: CallJob, judged: JudgedAnswer, endAt: number) => void;

interface Task {
  readonly acceptedAt: number;
  readonly end: WatchedTaskEnd;
  job: CallJob;
  workingAt: number | null;
  seenAt: number;
}

/** How long after its last read a task is taken for given up, ms. */
const GIVEN_UP_MS = 30 * 60_000;
const LOOK_MS = 60_000;
const MOST_TASKS = 10_000;

const GIVEN_UP: JudgedAnswer = { outcome: 'timeout_task', error_type: 'timeout_task', error_code: null };
const LOST: JudgedAnswer = { outcome: 'task_lost', error_type: 'task_lost', error_code: null };
const INTERRUPTED: JudgedAnswer = { outcome: 'interrupted', error_type: 'none', error_code: null };

/**
 * Follows accepted image jobs and videos through the reads that the application makes itself. A task is ok
 * when a read
 * says so; the row of one that nobody asks about any more, or that the end of the process leaves open,
 * says that instead.
 */
export class TaskWatch {
  readonly #tasks = new Map<string, Task>();
  #timer: NodeJS.Timeout | null = null;
  readonly #atExit = (): void => this.endAll(INTERRUPTED, performance.now());

  follows(id: string): boolean {
    return this.#tasks.has(id);
  }

  /** An answer to a read of a task's status. */
  see(id: string, document: unknown, status: number | null, at: number): void {
    const task = this.#tasks.get(id);
    if (task === undefined) return;
    task.seenAt = at;
    task.job = { ...task.job, polls: task.job.polls + 1 };
    if (status === 404) this.#end(id, LOST, at);
    if (status === null || status < 200 || status > 299) return;
    this.#note(task, taskStatusOf(asObject(document)?.['status']), at);
    this.#judge(id, task, document, at);
  }

  accept(id: string, document: unknown, at: number, end: WatchedTaskEnd): void {
    if (this.#tasks.size >= MOST_TASKS) this.#endOldest(at);
    const job: CallJob = { id, statuses: [], queue_ms: null, run_ms: null, polls: 0 };
    const task: Task = { acceptedAt: at, end, job, workingAt: null, seenAt: at };
    this.#tasks.set(id, task);
    if (this.#tasks.size === 1) this.#wake();
    this.#note(task, taskStatusOf(asObject(document)?.['status']), at);
    this.#judge(id, task, document, at);
  }

  endAll(judged: JudgedAnswer, at: number): void {
    for (const id of [...this.#tasks.keys()]) this.#end(id, judged, at);
  }

  #note(task: Task, status: string | null, at: number): void {
    if (status === null || !/^\w{1,64}$/.test(status)) return;
    const statuses = task.job.statuses.at(-1) === status ? task.job.statuses : [...task.job.statuses, status];
    if (status === 'in_progress') task.workingAt ??= at;
    const isOver = status === 'completed' || status === 'failed';
    task.job = {
      ...task.job,
      statuses,
      queue_ms: task.workingAt === null ? null : task.workingAt - task.acceptedAt,
      run_ms: isOver && task.workingAt !== null ? at - task.workingAt : task.job.run_ms,
    };
  }

  #judge(id: string, task: Task, document: unknown, at: number): void {
    const status = task.job.statuses.at(-1);
    if (status === 'completed') this.#end(id, { outcome: 'ok', error_type: 'none', error_code: null }, at);
    if (status !== 'failed') return;
    const code = asName(asObject(asObject(document)?.['error'])?.['code']);
    this.#end(id, { outcome: 'task_failed', error_type: 'task_failed', error_code: code }, at);
  }

  #end(id: string, judged: JudgedAnswer, at: number): void {
    const task = this.#tasks.get(id);
    if (task === undefined) return;
    this.#tasks.delete(id);
    if (this.#tasks.size === 0) this.#sleep();
    task.end(task.job, judged, at);
  }

  #endOldest(at: number): void {
    const [id] = this.#tasks.keys();
    if (id !== undefined) this.#end(id, GIVEN_UP, at);
  }

  /** While a task is followed: neither keeps a process alive that has nothing else to do. */
  #wake(): void {
    process.on('exit', this.#atExit);
    this.#timer = setInterval(() => this.#look(performance.now()), LOOK_MS);
    this.#timer.unref();
  }

  #sleep(): void {
    process.off('exit', this.#atExit);
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(now: number): void {
    for (const [id, task] of [...this.#tasks]) {
      if (now - task.seenAt > GIVEN_UP_MS) this.#end(id, GIVEN_UP, task.seenAt);
    }
  }
}

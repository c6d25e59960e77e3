import type { BooksLog, SavedWork, TaskEndEvent, TaskEvent } from '../events/books-event.ts';
import type { ImageWork } from '../tasks/image-work.ts';
import type { Task, TaskWork } from '../tasks/task.ts';
import type { TaskLog } from '../tasks/task-store.ts';
import type { VideoWork } from '../tasks/video-work.ts';
import type { Clock } from '../time/clock.ts';

type KeptWork = ImageWork | VideoWork;

/** Puts the tasks of a store on the log. */
export class TaskEvents<W extends TaskWork & KeptWork> implements TaskLog<W> {
  readonly #log: BooksLog;
  readonly #clock: Clock;

  constructor(log: BooksLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  accepted({ id, accountId, work, createdAt, runs }: Task<W>): void {
    const wallOf = (mono_ms: number): number => this.#clock.wallMs() + (mono_ms - this.#clock.monoMs());
    const event: TaskEvent = {
      type: 'task',
      id,
      account: accountId,
      ...work.call.saved,
      work: savedWork(work),
      createdAt,
      runsFrom: wallOf(runs.from_ms),
      runsTo: wallOf(runs.to_ms),
    };
    this.#log.append(event);
  }

  started({ id, startedAt }: Task<W>): void {
    this.#log.append({ type: 'task_start', id, startedAt: startedAt ?? 0 });
  }

  ended({ id, status, error, completedAt }: Task<W>): void {
    const event: TaskEndEvent = {
      type: 'task_end',
      id,
      status: status === 'completed' ? 'completed' : 'failed',
      error,
      completedAt: completedAt ?? 0,
    };
    this.#log.append(event);
  }
}

function savedWork(work: KeptWork): SavedWork {
  if ('kind' in work) {
    const { model, prompt, size, quality, responseFormat } = work.request;
    return { kind: 'image', makes: work.kind, request: { model, prompt, size, quality, responseFormat } };
  }
  const { model, prompt, seconds, size } = work.request;
  return { kind: 'video', request: { model, prompt, seconds, size } };
}

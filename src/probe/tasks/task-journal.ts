import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { JournalOptions } from '../../state/journal-content.ts';
import { JournalFile } from '../../state/journal-file.ts';
import {
  type AcceptedTask,
  TASKS_SCHEMA,
  type TaskFinal,
  type TaskIntent,
  type TaskLine,
  taskLine,
  type UnfinishedTask,
} from './task-line.ts';

/**
 * Ids of closed tasks that are remembered: a clock that falls back, or a start right after a crash, may plan a run once more
 * that has had its task.
 */
const REMEMBERED = 256;

/** The tasks of a journal: intended, accepted, closed, in this order. */
class KnownTasks {
  readonly #intents = new Map<string, TaskIntent>();
  readonly #open = new Map<string, { intent: TaskIntent; accepted: AcceptedTask }>();
  readonly #closed = new Map<string, TaskFinal>();

  /** Takes a line that came before, too: one that waited while a compaction was made stands in the file twice. */
  apply(line: TaskLine): void {
    switch (line.kind) {
      case 'intent':
        if (!this.knows(line.task.id)) this.#intents.set(line.task.id, line.task);
        return;
      case 'accepted':
        this.#accept(line.id, line.task);
        return;
      case 'closed':
        this.#close(line.id, line.final);
    }
  }

  knows(id: string): boolean {
    return this.#intents.has(id) || this.#open.has(id) || this.#closed.has(id);
  }

  isIntended(id: string): boolean {
    return this.#intents.has(id);
  }

  isUnclosed(id: string): boolean {
    return this.#intents.has(id) || this.#open.has(id);
  }

  /** Takes back an intent that is not on the disk: nothing was sent on its strength. */
  withdraw(id: string): void {
    this.#intents.delete(id);
  }

  intents(): readonly TaskIntent[] {
    return [...this.#intents.values()];
  }

  open(): readonly UnfinishedTask[] {
    return [...this.#open.values()].map(({ intent, accepted }) => ({ ...intent, ...accepted }));
  }

  /** All that counts, as lines: closed tasks by their ids alone. */
  compacted(): readonly TaskLine[] {
    const closed: TaskLine[] = [...this.#closed].map(([id, final]) => ({ kind: 'closed', id, final }));
    const intents: TaskLine[] = this.intents().map((task) => ({ kind: 'intent', task }));
    const open = [...this.#open.values()].flatMap(({ intent, accepted }): TaskLine[] => [
      { kind: 'intent', task: intent },
      { kind: 'accepted', id: intent.id, task: accepted },
    ]);
    return [...closed, ...intents, ...open];
  }

  #accept(id: string, accepted: AcceptedTask): void {
    const intent = this.#intents.get(id);
    if (intent === undefined) return;
    this.#intents.delete(id);
    this.#open.set(id, { intent, accepted });
  }

  #close(id: string, final: TaskFinal): void {
    this.#intents.delete(id);
    this.#open.delete(id);
    this.#closed.set(id, final);
    for (const oldest of this.#closed.keys()) {
      if (this.#closed.size <= REMEMBERED) return;
      this.#closed.delete(oldest);
    }
  }
}

const COMPACTED_LINES = 2_000;

export interface TaskJournalOptions extends JournalOptions {
  /** Lines from which the file is made short again. */
  readonly compacted_lines?: number;
}

/** Paid tasks that outlive the daemon: each is created once at most, and polled to its end by whichever process is there. */
export class TaskJournal {
  readonly #tasks: KnownTasks;
  readonly #journal: JournalFile;
  readonly #least: number;
  #compactAt: number;
  /** Intents of an earlier process: their requests may or may not have been sent. */
  readonly #left: ReadonlySet<string>;

  private constructor(tasks: KnownTasks, journal: JournalFile, least: number) {
    this.#tasks = tasks;
    this.#journal = journal;
    this.#least = least;
    this.#compactAt = least;
    this.#left = new Set(tasks.intents().map(({ id }) => id));
  }

  /** Throws as `JournalFile.open`: without its file no task is created. */
  static async open(file: string, options: TaskJournalOptions = {}): Promise<TaskJournal> {
    const tasks = new KnownTasks();
    const content = {
      schema: TASKS_SCHEMA,
      replay: (line: unknown) => tasks.apply(taskLine.parse(line)),
      snapshot: () => tasks.compacted(),
    };
    const journal = await JournalFile.open(file, content, options);
    return new TaskJournal(tasks, journal, options.compacted_lines ?? COMPACTED_LINES);
  }

  /**
   * The request may be sent, once, when it resolves. Throws `task_known` for a run that has had its task, whatever became of
   * it, and `state_unwritable`.
   */
  async intend(task: TaskIntent): Promise<void> {
    if (this.#tasks.knows(task.id)) throw known(task.id);
    const line: TaskLine = { kind: 'intent', task };
    this.#tasks.apply(line);
    try {
      await this.#journal.append(line);
    } catch (error) {
      this.#tasks.withdraw(task.id);
      throw error;
    }
    this.#compactWhenLong();
  }

  /** The gateway named the task. Written before it resolves, or with the next line where the disk refuses. */
  async accepted(id: string, task: AcceptedTask): Promise<void> {
    if (!this.#tasks.isIntended(id)) throw new RangeError(`expected an intended task, found ${id}`);
    await this.#owe({ kind: 'accepted', id, task });
  }

  /** Of a task that is not open it is nothing new. */
  async closed(id: string, final: TaskFinal): Promise<void> {
    if (this.#tasks.isUnclosed(id)) await this.#owe({ kind: 'closed', id, final });
  }

  /** To be polled, those of earlier processes among them. */
  open(): readonly UnfinishedTask[] {
    return this.#tasks.open();
  }

  /**
   * Tasks of earlier processes that may have been created and of which no id is known: never asked for again, their
   * reservations stay. They stand here, over restarts too, until they are closed as `lost`.
   */
  lost(): readonly TaskIntent[] {
    return this.#tasks.intents().filter(({ id }) => this.#left.has(id));
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  async #owe(line: TaskLine): Promise<void> {
    this.#tasks.apply(line);
    await this.#journal.owe(line);
  }

  /** Not waited for: the file is as good before as after. */
  #compactWhenLong(): void {
    if (this.#journal.lines < this.#compactAt) return;
    this.#compactAt = Number.POSITIVE_INFINITY;
    void this.#journal.compact().then(() => {
      this.#compactAt = Math.max(this.#least, 2 * this.#journal.lines);
    });
  }
}

function known(id: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'task_known',
    message: `expected a run that has had no task, found ${id} in the journal`,
    hint: 'it is not created again, for it may have been paid',
    exitCode: EXIT.internal,
  });
}

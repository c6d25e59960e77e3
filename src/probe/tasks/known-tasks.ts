import type { AcceptedTask, TaskFinal, TaskIntent, TaskLine, UnfinishedTask } from './task-line.ts';

/**
 * Ids of closed tasks that are remembered: a clock that falls back, or a start right after a crash, may plan a run once more
 * that has had its task.
 */
const REMEMBERED = 256;

/** The tasks of a journal: intended, accepted, closed, in this order. */
export class KnownTasks {
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

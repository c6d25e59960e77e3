import type { AccountRegistry } from '../account/account-registry.ts';
import type { ChargeLedger, OpenCharge } from '../charging/charge-ledger.ts';
import type { RecordStore } from '../charging/record-store.ts';
import type {
  BooksEvent,
  KeptAnswerEvent,
  TaskEndEvent,
  TaskEvent,
  TaskStartEvent,
} from '../events/books-event.ts';
import { KEY_LIFE_S } from '../idempotency/idempotency-store.ts';
import { TASK_LIFE_S } from '../tasks/task-store.ts';

/** A task as the log tells it. */
export interface LoggedTask {
  readonly accepted: TaskEvent;
  /** Null: it was not seen to start. */
  readonly start: TaskStartEvent | null;
  /** Null: it still runs. */
  readonly end: TaskEndEvent | null;
}

interface Books {
  readonly registry: AccountRegistry;
  readonly ledger: ChargeLedger;
  readonly records: RecordStore;
}

/** Makes the books anew from their events, and tells them in as few events as there can be. */
export class BooksState {
  readonly #books: Books;
  readonly #tasks = new Map<string, LoggedTask>();
  readonly #answers = new Map<string, KeptAnswerEvent>();
  /** By record id, in the order in which they were opened. */
  readonly #open = new Map<string, OpenCharge>();

  constructor(books: Books) {
    this.#books = books;
  }

  /** Throws RangeError for an event that does not fit those before it. */
  replay(event: BooksEvent): void {
    const { registry, ledger } = this.#books;
    switch (event.type) {
      case 'charge':
      case 'hold': {
        const key = registry.keyOfOrdinal(event.key);
        if (key === null) throw new RangeError(`there is no key ${event.key}`);
        ledger.replay(key, event);
        if (event.type === 'hold') return;
        const { record } = event;
        if (record.status === 'pending') this.#open.set(record.id, { key, record });
        else this.#open.delete(record.id);
        return;
      }
      case 'task':
        if (this.#tasks.has(event.id)) throw new RangeError(`task ${event.id} came twice`);
        this.#tasks.set(event.id, { accepted: event, start: null, end: null });
        return;
      case 'task_start': {
        const task = this.#runningTask(event.id);
        if (task.start !== null) throw new RangeError(`task ${event.id} has started already`);
        this.#tasks.set(event.id, { ...task, start: event });
        return;
      }
      case 'task_end': {
        const task = this.#runningTask(event.id);
        this.#tasks.set(event.id, { ...task, end: event });
        return;
      }
      case 'answer':
        this.#answers.set(event.name, event);
        return;
      default:
        registry.replay(event);
    }
  }

  #runningTask(id: string): LoggedTask {
    const task = this.#tasks.get(id);
    if (task === undefined) throw new RangeError(`there is no task ${id}`);
    if (task.end !== null) throw new RangeError(`task ${id} has ended already`);
    return task;
  }

  /** Charges that have not ended. */
  openCharges(): readonly OpenCharge[] {
    return [...this.#open.values()];
  }

  /** Tasks that can still be read at this moment, Unix seconds. */
  tasks(now_s: number): readonly LoggedTask[] {
    return [...this.#tasks.values()].filter(({ accepted }) => now_s - accepted.createdAt <= TASK_LIFE_S);
  }

  /** Answers that are still given again at this moment, Unix seconds; the oldest request first. */
  answers(now_s: number): readonly KeptAnswerEvent[] {
    const kept = [...this.#answers.values()].filter(({ since }) => now_s - since <= KEY_LIFE_S);
    return kept.sort((left, right) => left.since - right.since);
  }

  /** How many events `events` gives. */
  size(now_s: number): number {
    const tasks = this.tasks(now_s).flatMap(linesOf).length;
    return (
      [...this.#books.registry.state()].length + this.#books.records.size + tasks + this.answers(now_s).length
    );
  }

  *events(now_s: number): Generator<BooksEvent, undefined> {
    const { registry, records } = this.#books;
    yield* registry.state();
    const ordinals = new Map([...registry.keys()].map((key) => [key.fingerprint, key.ordinal]));
    for (const record of records.all()) {
      // The balances hold every effect already. A record that a fault has withdrawn stands with no key.
      const key = ordinals.get(record.keyFingerprint) ?? 1;
      yield { type: 'charge', key, isNew: true, record, held: 0n, spent: 0n, requests: 0 };
    }
    for (const task of this.tasks(now_s)) yield* linesOf(task);
    yield* this.answers(now_s);
    return undefined;
  }
}

function linesOf({ accepted, start, end }: LoggedTask): BooksEvent[] {
  return [accepted, start ?? [], end ?? []].flat();
}

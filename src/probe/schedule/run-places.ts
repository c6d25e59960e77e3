import type { ScheduledProbe } from './scheduled-probe.ts';

/** How many runs are under way, and who waits for a place: one start of each probe at most, the longest waiting first. */
export class RunPlaces {
  readonly #overall: number;
  readonly #taken = new Map<string, number>();
  #all = 0;
  /** In the order in which they came; a set keeps it. */
  readonly #line = new Set<ScheduledProbe>();

  constructor(overall: number) {
    this.#overall = overall;
  }

  isFree({ at: { target } }: ScheduledProbe): boolean {
    return this.#all < this.#overall && (this.#taken.get(target.name) ?? 0) < target.concurrency;
  }

  take(target: string): void {
    this.#all += 1;
    this.#taken.set(target, (this.#taken.get(target) ?? 0) + 1);
  }

  giveBack(target: string): void {
    const left = (this.#taken.get(target) ?? 0) - 1;
    this.#all -= 1;
    if (left > 0) this.#taken.set(target, left);
    else this.#taken.delete(target);
  }

  wait(entry: ScheduledProbe): void {
    this.#line.add(entry);
  }

  leave(entry: ScheduledProbe): void {
    this.#line.delete(entry);
    entry.waiting = null;
  }

  /** The first of the line that has a place; a target that is full holds nobody of another up. */
  next(): ScheduledProbe | null {
    for (const entry of this.#line) if (this.isFree(entry)) return entry;
    return null;
  }
}

/**
 * Work that is done one after the other, with a rest in between. Whoever asks for it while a turn waits to begin shares that
 * turn: all that was there when he asked is seen by it, and a flood of them is a turn for each rest.
 */
export class JoinedWork<T> {
  readonly #work: () => Promise<T>;
  readonly #rest: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  #rested: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | null = null;

  constructor(work: () => Promise<T>, rest: () => Promise<void>) {
    this.#work = work;
    this.#rest = rest;
  }

  ask(): Promise<T> {
    if (this.#next !== null) return this.#next;
    const next = this.#rested.then(() => {
      this.#next = null;
      return this.#work();
    });
    this.#next = next;
    this.#last = next.catch(() => undefined);
    this.#rested = this.#last.then(() => this.#rest());
    return next;
  }

  /** When what was asked for has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

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

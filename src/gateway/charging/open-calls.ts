/** Calls that were accepted and have not ended: the gateway closes its journal after the last of them. */
export class OpenCalls {
  readonly #calls = new Set<object>();
  #waiting: (() => void)[] = [];

  add(call: object): void {
    this.#calls.add(call);
  }

  delete(call: object): void {
    this.#calls.delete(call);
    if (this.#calls.size > 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting = [];
  }

  /** Resolves when no call is open. */
  idle(): Promise<void> {
    if (this.#calls.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

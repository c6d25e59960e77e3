/**
 * Work that no moment rests on, a piece in each turn of the event loop: what comes meanwhile for other calls is stamped in
 * between, however many of them there are.
 */
class FreeTurns {
  readonly #waiting = new Set<() => void>();
  #isDue = false;

  /** `work` must not throw. The answer takes it back. */
  later(work: () => void): () => void {
    // Each its own, though the same work be asked for twice.
    const piece = () => work();
    this.#waiting.add(piece);
    this.#arm();
    return () => {
      this.#waiting.delete(piece);
    };
  }

  #arm(): void {
    if (this.#isDue || this.#waiting.size === 0) return;
    this.#isDue = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isDue = false;
    const [piece] = this.#waiting;
    if (piece === undefined) return;
    this.#waiting.delete(piece);
    piece();
    this.#arm();
  }
}

/** Of all calls of this process: they share its event loop. */
export const FREE_TURNS = new FreeTurns();

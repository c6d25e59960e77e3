import type { CallClock } from './call-clock.ts';

/** A clock that stands still until it is advanced, and rings what falls due on the way at its own time. */
export class FakeCallClock implements CallClock {
  readonly #due = new Map<() => void, number>();
  #now = 0;

  wallMs(): number {
    return Date.UTC(2026, 0, 1) + this.#now;
  }

  monoMs(): number {
    return this.#now;
  }

  after(ms: number, ring: () => void): () => void {
    this.#due.set(ring, this.#now + ms);
    return () => {
      this.#due.delete(ring);
    };
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#due].sort(([, a], [, b]) => a - b).find(([, at]) => at <= end);
      if (next === undefined) break;
      const [ring, at] = next;
      this.#due.delete(ring);
      this.#now = at;
      ring();
    }
    this.#now = end;
  }
}

import type { CallLimits } from '../events/books-event.ts';
/** Rate and concurrency of one key; the rate is a leaky bucket whose burst is the whole limit. */
export class CallLimiter {
  readonly limits: CallLimits;
  /** When the bucket is empty again, monotonic ms. */
  #emptyAt = 0;
  #open = 0;

  constructor(limits: CallLimits) {
    this.limits = limits;
  }

  /** Null: admitted, and to be released when the call ends; else whole seconds until the next slot. */
  admit(now_ms: number): number | null {
    const { requests, per_ms, concurrent } = this.limits;
    const share = per_ms / requests;
    const filled = Math.max(this.#emptyAt, now_ms) + share;
    const wait_ms = filled - per_ms - now_ms;
    // A float must not refuse the last call of a full burst.
    if (wait_ms > 1e-6) return Math.ceil(wait_ms / 1000);
    if (this.#open >= concurrent) return 1;
    this.#emptyAt = filled;
    this.#open += 1;
    return null;
  }

  /** For a call that was admitted before this limiter was made. */
  takeSlot(): void {
    this.#open += 1;
  }

  release(): void {
    this.#open -= 1;
  }
}

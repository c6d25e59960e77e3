import { setTimeout as timer } from 'node:timers/promises';
import type { ReadResult } from '../client/read-result.ts';

/** Reads a second in the long run, and how many may follow one another at once. */
const PER_SECOND = 50;
const BURST = 20;
/** A target that asks for a longer rest than this is not waited for. */
const MOST_HOLD_S = 120;
const SLICE_MS = 500;

export interface ReadBudgetOptions {
  readonly perSecond?: number | undefined;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: (() => number) | undefined;
  readonly wait?: ((ms: number) => Promise<unknown>) | undefined;
  /** True once the user asked to stop: nothing is waited for any more. */
  readonly stopped?: (() => boolean) | undefined;
}

/** Keeps the reads of usage from becoming a load of their own, and rests as long as the target asks. */
export class ReadBudget {
  readonly #gapMs: number;
  readonly #now: () => number;
  readonly #wait: (ms: number) => Promise<unknown>;
  readonly #stopped: () => boolean;
  /** When the next read would be due if all came evenly. */
  #due = Number.NEGATIVE_INFINITY;
  #restUntil = Number.NEGATIVE_INFINITY;
  #reads = 0;

  constructor(options: ReadBudgetOptions = {}) {
    this.#gapMs = 1000 / (options.perSecond ?? PER_SECOND);
    this.#now = options.now ?? (() => performance.now());
    this.#wait = options.wait ?? timer;
    this.#stopped = options.stopped ?? (() => false);
  }

  get reads(): number {
    return this.#reads;
  }

  /** One read in its turn; one that was refused with a bearable `Retry-After` once more after it. */
  async ask<T>(
    read: () => Promise<ReadResult<T>>,
    refused: (answerId: string | null) => void = () => {},
  ): Promise<ReadResult<T>> {
    await this.#turn();
    const result = await read();
    if (result.ok || result.status !== 429) return result;
    refused(result.requestId);
    if (result.retryAfterS === null) return result;
    if (result.retryAfterS > MOST_HOLD_S) return result;
    this.#restUntil = this.#now() + result.retryAfterS * 1000;
    await this.#turn();
    return this.#stopped() ? result : read();
  }

  async #turn(): Promise<void> {
    for (;;) {
      const now = this.#now();
      const until = Math.max(this.#restUntil, this.#due - BURST * this.#gapMs);
      if (until <= now || this.#stopped()) break;
      await this.#wait(Math.min(until - now, SLICE_MS));
    }
    this.#due = Math.max(this.#due, this.#now()) + this.#gapMs;
    this.#reads += 1;
  }
}

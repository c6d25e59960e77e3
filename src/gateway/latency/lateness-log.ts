/** How late the gateway's own events were, so that a measurement can be told apart from the gateway. */
export interface LatenessReport {
  /** Stream events and whole replies so far. */
  readonly events: number;
  /** Milliseconds, at most 2 % too high; null without events. */
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
  /** Milliseconds, exact. */
  readonly max_ms: number | null;
}

/** Buckets grow by 2 %: from 1 µs to an hour there are about 1,100. */
const PER_E = 50;
const BUCKETS = 1200;

/** Counts lateness in buckets, so that its memory does not grow. */
export class LatenessLog {
  readonly #counts = new Float64Array(BUCKETS);
  #events = 0;
  #max = 0;

  /** Milliseconds behind the due time; an early event is not late. */
  record(lateness_ms: number): void {
    const late = Math.max(0, lateness_ms);
    const bucket = Math.min(BUCKETS - 1, Math.ceil(Math.log1p(late * 1000) * PER_E));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#events += 1;
    if (late > this.#max) this.#max = late;
  }

  report(): LatenessReport {
    const events = this.#events;
    if (events === 0) return { events, p50_ms: null, p99_ms: null, max_ms: null };
    return { events, p50_ms: this.#quantile(0.5), p99_ms: this.#quantile(0.99), max_ms: this.#max };
  }

  reset(): void {
    this.#counts.fill(0);
    this.#events = 0;
    this.#max = 0;
  }

  /** The upper edge of the bucket in which the quantile lies (nearest rank). */
  #quantile(share: number): number {
    const rank = Math.ceil(share * this.#events);
    let seen = 0;
    const bucket = this.#counts.findIndex((count) => {
      seen += count;
      return seen >= rank;
    });
    return Math.min(this.#max, Math.expm1(bucket / PER_E) / 1000);
  }
}

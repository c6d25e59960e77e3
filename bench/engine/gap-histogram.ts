/**
 * A ledger row holds the gaps of its stream as a histogram (buckets of 4.4 %), not as a list. So that what our client
 * says and the truth can be compared finer than a bucket is wide, the truth is put into the same buckets and both are
 * read by the same rule: the quantile lies in its bucket where its rank does, as if the bucket were filled evenly.
 */
const BUCKETS_PER_DOUBLING = 16;
const SMALLEST_BOUND_MS = 0.01;

/** Counts by the number of their bucket; -1 holds gaps of exactly 0. */
export class GapHistogram {
  readonly #counts = new Map<number, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** A gap in ms. */
  add(gap: number): void {
    this.#count(gap <= 0 ? -1 : bucketOf(gap), 1);
  }

  /** `[upper bound in ms, count]` pairs as a ledger row holds them. */
  addPairs(pairs: readonly (readonly [number, number])[]): void {
    // The bounds are rounded to five digits: the nearest bucket is meant.
    for (const [bound, count] of pairs) this.#count(bound === 0 ? -1 : Math.round(place(bound)), count);
  }

  /** In ms; null of an empty histogram. */
  quantile(q: number): number | null {
    const rank = Math.max(1, Math.ceil(q * this.#total));
    let before = 0;
    for (const [bucket, count] of [...this.#counts].sort(([left], [right]) => left - right)) {
      if (before + count >= rank) {
        if (bucket < 0) return 0;
        const lower = bucket === 0 ? 0 : boundOf(bucket - 1);
        return lower + ((rank - before - 0.5) / count) * (boundOf(bucket) - lower);
      }
      before += count;
    }
    return null;
  }

  #count(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
    this.#total += count;
  }
}

function place(gap: number): number {
  return Math.log2(gap / SMALLEST_BOUND_MS) * BUCKETS_PER_DOUBLING;
}

function bucketOf(gap: number): number {
  return Math.max(0, Math.ceil(place(gap)));
}

function boundOf(bucket: number): number {
  return SMALLEST_BOUND_MS * 2 ** (bucket / BUCKETS_PER_DOUBLING);
}

import type { ReadFailure } from '../client/read-result.ts';

/** Asked for in this order; null leaves `limit` out. */
const ASKED: readonly (number | null)[] = [1000, 200, 100, 50, null];

/**
 * The page size of a sweep. The interface gives no bounds for `limit` (§8: not shown): we ask for much, for less where
 * the target refuses it, for nothing at last, and take pages of any length.
 */
export class PageSize {
  #limit: number | null;
  #refused = false;

  constructor(limit: number | null = ASKED[0] ?? null) {
    this.#limit = limit;
  }

  /** Null: leave it to the target. */
  get limit(): number | null {
    return this.#limit;
  }

  get refused(): boolean {
    return this.#refused;
  }

  /** True when the refusal may be about `limit` and a read with a smaller one is worth a try. */
  refuse(failure: ReadFailure): boolean {
    const limit = this.#limit;
    if (limit === null || (failure.status !== 400 && failure.status !== 422)) return false;
    this.#refused = true;
    this.#limit = ASKED.find((smaller) => smaller === null || smaller < limit) ?? null;
    return true;
  }
}

import type { ReadFailure } from '../client/read-result.ts';

const FIRST_ASKED = 200;

/**
 * The page size of a sweep. The interface gives no bounds for `limit` (§8: not shown): we ask for 200, take pages of
 * any length, and leave `limit` out for good where the target refuses it.
 */
export class PageSize {
  #limit: number | null;

  constructor(limit: number | null = FIRST_ASKED) {
    this.#limit = limit;
  }

  /** Null: leave it to the target. */
  get limit(): number | null {
    return this.#limit;
  }

  /** True when the refusal may be about `limit` and a read without it is worth one try. */
  refuse(failure: ReadFailure): boolean {
    if (this.#limit === null || (failure.status !== 400 && failure.status !== 422)) return false;
    this.#limit = null;
    return true;
  }
}

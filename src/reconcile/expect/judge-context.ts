import type { BillingTerms } from '../../contracts/billing-terms.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { BookShelf } from '../books/book-shelf.ts';
import type { JudgedSweep } from '../input/judged-sweep.ts';
import type { PlannedBounds } from '../input/reconcile-input.ts';
import type { Whose } from '../match/whose-record.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { CountedUpstream } from '../records/upstream-calls.ts';
import type { BillingSettings } from './billing-settings.ts';
import type { RetriedAttempt } from './retried-calls.ts';

/** What every judgement may look at. */
export interface JudgeContext {
  readonly plan: PlannedBounds | null;
  /** Shared too where the ledger is not whole. */
  readonly key: 'shared' | 'exclusive';
  /** Whose a record is that no call explains; null: nobody's. */
  readonly whose: (record: ServedRecord) => Whose | null;
  readonly sweep: JudgedSweep;
  readonly shelf: BookShelf;
  readonly settings: BillingSettings;
  readonly terms: BillingTerms;
  /** What a gateway behind the target counted, by call id. */
  readonly upstream: ReadonlyMap<string, CountedUpstream>;
  /** Attempts without an answer that were charged, though a later one was answered and charged, by call id. */
  readonly retried: ReadonlyMap<string, RetriedAttempt>;
  /** The names under which records tell of the calls of a model. */
  readonly recorded_as: ReadonlyMap<string, ReadonlySet<string>>;
  /** How many records of calls without final usage say that they estimate. */
  readonly flagged_estimates: number;
  /** The final version of a record, by its key, that a later read shows changed. */
  readonly regressed: ReadonlyMap<string, ServedRecord>;
}

/** The book that a record names; without a record the one served last. Null where it was not archived. */
export function bookOf(context: JudgeContext, record: ServedRecord | null): PriceBook | null {
  return record === null
    ? context.shelf.latest
    : context.shelf.find(record.pricebook_id, record.pricing_version, record.created_at);
}

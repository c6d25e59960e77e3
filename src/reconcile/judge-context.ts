import type { PriceBook } from '../core/price-book.ts';
import type { BillingSettings } from './billing-settings.ts';
import type { BookShelf } from './book-shelf.ts';
import type { JudgedSweep } from './judged-sweep.ts';
import type { PlannedBounds } from './reconcile-input.ts';
import type { ServedRecord } from './served-record.ts';

/** What every judgement may look at. */
export interface JudgeContext {
  readonly plan: PlannedBounds | null;
  readonly key: 'shared' | 'exclusive';
  readonly sweep: JudgedSweep;
  readonly shelf: BookShelf;
  readonly settings: BillingSettings;
}

/** The book that a record names; without a record the one served last. Null where it was not archived. */
export function bookOf(context: JudgeContext, record: ServedRecord | null): PriceBook | null {
  return record === null
    ? context.shelf.latest
    : context.shelf.find(record.pricebook_id, record.pricing_version);
}

/** True once `ms` have passed between a moment and the last read. */
export function hasPassed(context: JudgeContext, sinceMs: number, ms: number): boolean {
  const last = context.sweep.last_read_ms;
  return last !== null && last >= sinceMs + ms;
}

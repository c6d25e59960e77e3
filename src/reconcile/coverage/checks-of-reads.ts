import type { FaultClass } from '../../contracts/fault-class.ts';
import type { ReadLine } from '../../contracts/usage-lines.ts';
import type { JudgeContext } from '../judges/judge-context.ts';
import { servedTotals } from '../records/served-totals.ts';

type ReadCheck = (context: JudgeContext) => number;

/** Classes of the reads of usage, totals, books and account: how many answers would have shown the fault. */
export const READ_CHECKS: { readonly [C in FaultClass]?: ReadCheck } = {
  totals_disagree_records: ({ sweep }) => sweep.totals.length,
  // Each part that the totals serve.
  by_model_or_daily_partition: ({ sweep }) => {
    const { by_model, daily } = servedTotals(sweep.totals);
    return (by_model?.size ?? 0) + (daily?.size ?? 0);
  },
  day_boundary_shift: ({ sweep }) => servedTotals(sweep.totals).daily?.size ?? 0,
  page_gap_or_overlap: ({ sweep }) => pages(sweep.own_reads).length,
  window_semantics: ({ sweep }) =>
    sweep.own_reads.filter(({ purpose }) => purpose === 'edge' || purpose === 'seam').length,
  // Reads that name a model or a request id.
  filter_mismatch: ({ sweep }) =>
    sweep.reads.filter(({ read, purpose }) => purpose === 'filter' || read === 'request').length,
  price_book_incoherent: ({ shelf }) => shelf.books.length,
  account_counter_drift: ({ sweep }) => sweep.reads.filter(({ read }) => read === 'account').length,
  currency_or_unit_error: ({ sweep }) => pages(sweep.own_reads).length + sweep.totals.length,
  price_book_unreadable: ({ shelf }) => shelf.books.length + shelf.unreadable.length,
};

function pages(reads: readonly ReadLine[]): readonly ReadLine[] {
  return reads.filter(({ read }) => read === 'records');
}

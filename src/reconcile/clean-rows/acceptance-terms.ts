import { compileCells } from '../../pricebook/cells/compile-cells.ts';
import type { PriceCell } from '../../pricebook/cells/price-cell.ts';
import { type BookShelf, bookShelf } from '../books/book-shelf.ts';
import { lastComplete } from '../input/judged-sweep.ts';
import type { ReconcileTerms } from '../input/load-reconcile-input.ts';
import { deadlineMs } from '../judges/deadline.ts';
import { completeSweeps } from '../judges/posting-lag.ts';
import type { AcceptanceInput } from './acceptance-input.ts';

/** Of each price so many right calls are judged by themselves, for what is learnt from right ones. */
const WITNESSES_PER_PRICE = 200;

const TEXT_CALL = { kind: 'chat', text: true } as const;

export type AcceptanceTermsOf = Omit<
  AcceptanceInput,
  'ledger_files' | 'record_files' | 'temp_dir' | 'version'
>;

/** By what calls of these terms may be accepted; `declined` where not one may. */
export function acceptanceTerms(terms: ReconcileTerms): AcceptanceTermsOf | { readonly declined: string } {
  const { basis, plan, reads, books, terms: billing, suspense } = terms;
  if (basis === 'records') return { declined: 'there is no ledger' };
  if (plan !== null) return { declined: 'the load of a run is measured by its rows' };
  const [end, ...more] = lastComplete(reads.filter(({ read }) => read === 'sweep_end')) ?? [];
  if (end === undefined || end.window === null) return { declined: 'no sweep of the records is complete' };
  if (more.length > 0) return { declined: 'the records are those of several keys' };
  if (Object.hasOwn(billing.readings.status, 'settled'))
    return { declined: 'another meaning of settled was declared' };
  const apart = {
    calls: (suspense?.opening ?? []).flatMap(({ id }) =>
      id.startsWith(CALL) ? [id.slice(CALL.length)] : [],
    ),
    requests: (suspense?.opening ?? []).flatMap(({ request_id }) => request_id ?? []),
  };
  // Ids are compared as they are written, and others may be written in more than one way.
  if (![...apart.calls, ...apart.requests].every((id) => PLAIN_ID.test(id)))
    return { declined: 'open items of earlier runs have ids that may be written in several ways' };
  const shelf = bookShelf(books, reads, billing);
  const posting = deadlineMs({ terms: billing }, 'late_posting', TEXT_CALL);
  const only = shelf.books.length === 1 ? shelf.books[0] : undefined;
  return {
    judged: { sweep: end.sweep, passes: end.judged_passes, key_fp: end.key_fp },
    windows: [end.window],
    cells: (models) => cellsOf(shelf, models, billing.group),
    any_version: only !== undefined && shelf.readingOf(only)?.identified === false,
    readings: {
      amount_meaning: billing.readings.amount === 'auto' ? null : billing.readings.amount,
      input_includes_cache: cacheReading(billing.readings.input_tokens, shelf),
    },
    late_ms: posting,
    posting_ms: posting,
    earlier: completeSweeps(reads)
      .filter(({ sweep }) => sweep < end.sweep)
      .map(({ sweep, begun_ms }) => ({ sweep, begun_ms })),
    apart,
    witnesses_per_price: WITNESSES_PER_PRICE,
  };
}

/** How a call is named in the suspense account. */
const CALL = 'call:';
const PLAIN_ID = /^[\w.:-]+$/;

/** A book that only its rows explain accepts none of them. */
function cellsOf(shelf: BookShelf, models: readonly string[], group: string | null): readonly PriceCell[] {
  const cells: PriceCell[] = [];
  for (const book of shelf.books) {
    const reading = shelf.readingOf(book);
    if (reading === null || reading.partial || !reading.rounding_declared) continue;
    cells.push(...compileCells(book, { models, group, key_fp: null, first: cells.length }).cells);
  }
  return cells;
}

function cacheReading(
  declared: 'with_cache' | 'without_cache' | 'auto',
  { latest }: BookShelf,
): AcceptanceInput['readings']['input_includes_cache'] {
  if (declared !== 'auto') return declared === 'with_cache' ? 'yes' : 'no';
  const published = latest?.usage_semantics.input_includes_cache ?? 'unknown';
  return published === 'unknown' ? null : published;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import { dropKept } from '../../ledger/store/kept-database.ts';
import { openStore } from '../../ledger/store/open-store.ts';
import { compileCells } from '../../pricebook/cells/compile-cells.ts';
import type { PriceCell } from '../../pricebook/cells/price-cell.ts';
import { type BookShelf, bookShelf } from '../books/book-shelf.ts';
import { OtherReadings } from '../expect/assumed-readings.ts';
import { lastComplete } from '../input/judged-sweep.ts';
import type { ReconcileTerms } from '../input/load-reconcile-input.ts';
import { deadlineMs } from '../judge/deadline.ts';
import { completeSweeps } from '../judge/posting-lag.ts';
import { reconcile } from '../reconcile.ts';
import { acceptCleanCalls } from './accept-clean-calls.ts';
import type { AcceptanceInput } from './acceptance-input.ts';
import { openKept } from './kept-acceptance.ts';

export interface StoredFiles {
  /** Of a ledger of ours. */
  readonly ledger: readonly string[];
  /** Of usage lines. */
  readonly records: readonly string[];
}

export interface StoreLimits {
  readonly memory_bytes: number;
  /** What does not fit is kept beneath it as long as it is needed. */
  readonly dir: string;
  /** Where what was accepted is kept from judgement to judgement, by which version; absent: nowhere. */
  readonly keep?: { readonly file: string; readonly version: string };
  /** Told why what was kept is not used. */
  readonly say?: (line: string) => void;
}

/** The judgement, and the calls that were judged one by one. */
export interface StoredJudgement {
  readonly reconciliation: Reconciliation;
  readonly ledger: LoadedLedger;
}

type Judged = StoredJudgement | { readonly declined: string };
type Input = Omit<AcceptanceInput, 'temp_dir'>;

/**
 * As `reconcile`, with the calls that are clean for certain accepted in SQL before. `declined` says why nothing can be
 * accepted here; then every row is to be judged by itself. Throws as `loadReconcileInput`.
 */
export async function reconcileInStore(
  terms: ReconcileTerms,
  files: StoredFiles,
  limits: StoreLimits,
): Promise<Judged> {
  const prepared = acceptanceTerms(terms);
  if ('declined' in prepared) return prepared;
  const { keep, say = () => undefined } = limits;
  let input: Input = {
    ...prepared,
    version: keep?.version ?? '',
    ledger_files: files.ledger,
    record_files: files.records,
  };
  const tried = { before: false };
  try {
    return await judged(terms, input, limits, tried);
  } catch (error) {
    // The rows that are left may be read otherwise than the accepted ones were: under that reading, once more.
    if (error instanceof OtherReadings) input = { ...input, readings: error.readings };
    // Whatever went wrong with what was kept: without it the judgement is right, or fails for a reason of its own.
    else if (tried.before)
      say(
        `what was judged before is judged again: ${error instanceof Error ? error.message : String(error)}`,
      );
    else throw error;
  }
  return judged(terms, input, limits, tried);
}

async function judged(
  terms: ReconcileTerms,
  input: Input,
  { memory_bytes, dir, keep, say = () => undefined }: StoreLimits,
  tried: { before: boolean },
): Promise<Judged> {
  const temp_dir = await mkdtemp(join(dir, 'store-'));
  const store = await openStore({ memory_bytes, temp_dir });
  let [own, whole] = [false, false];
  try {
    const placed = { ...input, temp_dir };
    const kept = await openKept(store, keep?.file ?? null, placed, say);
    own = kept.outlasts;
    tried.before = kept.state !== null;
    const done = await acceptCleanCalls(store, placed, kept);
    if ('declined' in done) return done;
    const { accepted, ledger, records } = done;
    const reconciliation = reconcile({ ...terms, ledger, records, upstream: new Map(), accepted });
    whole = done.kept;
    return { reconciliation, ledger };
  } finally {
    await store.close();
    await rm(temp_dir, { recursive: true, force: true });
    if (own && !whole && keep !== undefined) dropKept(keep.file);
  }
}

/** Of each price so many right calls are judged by themselves, for what is learnt from right ones. */
const WITNESSES_PER_PRICE = 200;

const TEXT_CALL = { kind: 'chat', text: true } as const;

type AcceptanceTermsOf = Omit<AcceptanceInput, 'ledger_files' | 'record_files' | 'temp_dir' | 'version'>;

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

import { type BookShelf, bookShelf } from '../books/book-shelf.ts';
import { type JudgedSweep, judgedSweep } from '../input/judged-sweep.ts';
import { NOTHING_KNOWN, type ReconcileInput } from '../input/reconcile-input.ts';
import { type AcceptedSums, acceptedCalls, NOTHING_ACCEPTED } from '../records/accepted-sums.ts';
import { askedModels } from '../records/asked-model.ts';
import { type PaidCall, paidCalls } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { CachePlaces } from './cache-places.ts';
import { KnownRecords } from './known-records.ts';
import { withLearntIds } from './learnt-ids.ts';
import { matchCalls } from './match-calls.ts';
import { callsOfRecords } from './record-calls.ts';

/** Calls and records, and which belongs to which by id, watermark or fingerprint. */
export interface MatchedRecords {
  readonly input: ReconcileInput;
  readonly accepted: AcceptedSums;
  readonly sweep: JudgedSweep;
  /** The price books as the target served them. */
  readonly served: BookShelf;
  readonly calls: readonly PaidCall[];
  /** Where the records of an audit without a ledger count cached tokens; null where calls tell it. */
  readonly cached: CachePlaces | null;
  /** Records of calls that are known and not judged here. */
  readonly others: KnownRecords;
  readonly matching: ReturnType<typeof matchCalls>;
  /** Records that no call has yet. */
  readonly unmatched: readonly ServedRecord[];
}

export function matchRecords(input: ReconcileInput): MatchedRecords {
  const accepted = input.accepted ?? NOTHING_ACCEPTED;
  const served = bookShelf(input.books, input.reads, input.terms);
  const made = input.basis === 'records' ? null : paidCalls(input.ledger, accepted.last_sign_ms ?? 0);
  const sweep = judgedSweep(input, askedModels(made?.map(({ model }) => model) ?? pricedModels(served)));
  const { calls, cached } =
    made === null
      ? callsOfRecords(sweep, served, input.terms.readings.input_tokens)
      : { calls: withLearntIds(made, sweep.records), cached: null };
  const others = new KnownRecords((input.known ?? NOTHING_KNOWN).calls, calls);
  const matching = matchCalls(
    calls,
    others.takeById(sweep.records),
    acceptedCalls(accepted),
    input.terms.readings.created_at,
  );
  const unmatched = others.takeByPrint(matching.window, matching.records);
  return { cached, input, accepted, sweep, served, calls, others, matching, unmatched };
}

function pricedModels({ books }: BookShelf): readonly string[] {
  return books.flatMap(({ models }) =>
    models.flatMap(({ match }) => (match.kind === 'exact' ? [match.text] : [])),
  );
}

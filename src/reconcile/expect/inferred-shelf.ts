import type { PriceBook } from '../../contracts/price-book.ts';
import { plainBook } from '../../pricebook/adapters/plain-model.ts';
import { type ChargedFacts, type InferredBook, inferBooks } from '../../pricebook/infer/infer-book.ts';
import type { BookShelf } from '../books/book-shelf.ts';
import type { CellTrust } from '../books/book-trust.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { factsOf } from './call-facts.ts';
import { chargeOf, exactOf } from './charge.ts';
import type { JudgeContext } from './judge-context.ts';

interface MatchedRecords {
  readonly call: PaidCall;
  readonly records: readonly ServedRecord[];
}

/** Prices nothing: facts by it are those that the call itself tells. */
const NO_PRICES: PriceBook = plainBook({ kind: 'inferred', sha256: '0'.repeat(64), fetched_at: null }, [], {
  pricebook_id: '',
  pricing_version: '',
});

/**
 * A shelf without a readable book, with the prices that its own charges share in the place of one: they find the record
 * of a version and nothing else, so that a charge may be called consistent and none is accused. It has no `latest`: that
 * no book could be read stays the reason why nothing is proved.
 */
export function inferredShelf(context: JudgeContext, matches: readonly MatchedRecords[]): BookShelf {
  const { shelf } = context;
  const inferred = inferBooks(matches.flatMap((match) => chargedFacts(context, match)));
  if (inferred.length === 0) return shelf;
  const byVersion = new Map(
    inferred.map((each) => [versionKey(each.book.pricebook_id, each.book.pricing_version), each] as const),
  );
  const byBook = new Map(inferred.map((each) => [each.book, each] as const));
  return {
    ...shelf,
    find: (id, version) => byVersion.get(versionKey(id, version))?.book ?? null,
    trustOf: (book, model, endpoint) => trustIn(byBook.get(book), model, endpoint),
  };
}

function trustIn(inferred: InferredBook | undefined, model: string, endpoint: string): CellTrust {
  const line = inferred?.lines.find((each) => each.model === model && each.endpoint === endpoint);
  return { kind: 'inferred', fit: line?.fit ?? 0, of: line?.of ?? 0 };
}

/** A finished call with its one settled record, as far as its charge is a figure. */
function chargedFacts(context: JudgeContext, { call, records }: MatchedRecords): readonly ChargedFacts[] {
  const [record] = records;
  if (record === undefined || records.length > 1 || record.role !== 'settled' || call.outcome !== 'ok')
    return [];
  const charge = chargeOf(record, context.settings);
  const amount = charge === null ? null : exactOf(charge);
  const facts = factsOf(context, call, record, NO_PRICES);
  if (amount === null || facts === null) return [];
  return [
    {
      pricebook_id: record.pricebook_id,
      pricing_version: record.pricing_version,
      model: call.model,
      endpoint: call.kind,
      facts,
      amount,
      at_s: record.created_at ?? 0,
    },
  ];
}

function versionKey(pricebookId: string, pricingVersion: string): string {
  return JSON.stringify([pricebookId, pricingVersion]);
}
